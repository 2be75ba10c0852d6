import { createHash } from "node:crypto";

/** The source expression for a page's Content Security Policy that allows only the given script. */
export function hashSource(script: string): string {
  const digest = createHash("sha256").update(script).digest("hex");
  return `'sha256-${Buffer.from(digest, "hex").toString("base64")}'`;
}
