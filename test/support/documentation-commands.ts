import { documentationPages } from "./markdown-page.js";

export const pages = documentationPages();
export const commands = [
  "generate",
  "tap",
  "lint",
  "view",
  "stats",
  "export",
  "convert",
  "redact",
  "model",
  "diff",
];
export const commandLine = "docs/reference/cli.md";
