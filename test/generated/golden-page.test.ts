/** Shows what `wirewright generate dap` writes for one message of each kind, in all files. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fromRoot } from "../support/paths.js";
import { filesOf } from "../support/package-files.js";

const path = fromRoot("test/golden/generated-messages.md");

/** Names in the statements to show: a request, its response, an event and what they contain. */
const shown = /\b(?:\w*(?:Threads(?:Request|Response|Success)|ThreadsResponseBody|ExitedEvent|ExitedEventBody|Thread)|threads|exited)\b/;

/** Maximum number of lines to show of a statement. */
const mostLines = 24;

/** Returns the statements of a module, with their comments. */
function statementsOf(text: string): readonly string[] {
  return text.trimEnd().split(/\n\n(?=\S)/);
}

/** Shortens a statement to its first line and the lines that contain a name. */
function shorten(statement: string): string {
  const lines = statement.split("\n");
  if (lines.length <= mostLines) return statement;
  const kept = lines.map((line, index) => index < 3 || index === lines.length - 1 || shown.test(line));
  return lines
    .flatMap((line, index) => (kept[index] ? [line] : kept[index - 1] === true ? ["  // …"] : []))
    .join("\n");
}

test("the golden page shows one message of each kind in all generated files", async () => {
  const files = await filesOf("dap");
  const sections = [...files].map(([file, text]) => {
    const statements = statementsOf(text);
    const chosen = statements.filter(
      (statement, index) => index < 2 || (shown.test(statement) && !statement.startsWith("import")),
    );
    const size = `${statements.length} statements, ${Math.round(text.length / 1000)} kB`;
    return `## ${file}\n\n${size}.\n\n\`\`\`ts\n${chosen.map(shorten).join("\n\n")}\n\`\`\`\n`;
  });
  const page = `# Generated code\n\nWhat \`wirewright generate dap\` writes for the request \`threads\` and the event \`exited\`. Updated with \`UPDATE_GOLDEN=1 npm test -- golden-page\`.\n\n${sections.join("\n")}`;
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(path, page);
  assert.ok(existsSync(path));
  assert.equal(page, readFileSync(path, "utf8"));
});
