import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { format } from "prettier";
import { configurationRules } from "../../../launch/configuration-rules.js";
import { readOutcomes } from "../../../diff/compare/outcomes.js";
import { lintRules, listRules } from "../../../cli/index.js";
import { readSessionRules } from "../../../sessions/judge/session-rules.js";
import { rules } from "../../../diff/compare/rules.js";
import { readFramingRules } from "../../../sessions/judge/framing-rules.js";
import {
  readPage,
  type MarkdownPage,
  commandLine,
  commands,
  pages,
} from "../../support/markdown-page.js";
import { fromRoot, root, readJson } from "../../support/paths.js";
import { runCommand } from "../../support/run-command.js";
import { readStatements } from "../../support/statements.js";

/** Reads the members of a string literal union from a source file. */
function unionOf(path: string, name: string): string[] {
  const source = readFileSync(fromRoot(path), "utf8");
  const declaration = new RegExp(`export type ${name} =([^;]*);`).exec(source)![1]!;
  return [...declaration.matchAll(/"(\w+)"/g)].map((match) => match[1]!);
}

/**
 * Compares a page with the expected text, or writes that text to the page if `UPDATE_GOLDEN` is
 * set.
 */
async function assertPage(page: MarkdownPage, text: string): Promise<void> {
  const formatted = await format(text, { parser: "markdown" });
  if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(fromRoot(page.path), formatted);
  assert.equal(readFileSync(fromRoot(page.path), "utf8"), formatted, "set UPDATE_GOLDEN");
}

test("each error code is documented once, in source order", () => {
  const documented = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/^\| `(ERR_\w+)` +\|/gm)].map((match) => [path, match[1]!]),
  );
  const codes = [
    ...unionOf("runtime/frames/frame-faults.ts", "FrameFaultCode"),
    ...unionOf("runtime/json/encode-error.ts", "EncodeErrorCode"),
    ...unionOf("runtime/connection/outgoing-requests.ts", "RequestErrorCode"),
    ...unionOf("protocols/dap/session/session-error.ts", "SessionErrorCode"),
    ...unionOf("runtime/connection/options.ts", "ProblemCode"),
    ...unionOf("runtime/lanes/lane-error.ts", "LaneErrorCode"),
    ...unionOf("runtime/lanes/lane-error.ts", "LaneProblemCode"),
    ...unionOf("generator/base/input-error.ts", "InputErrorCode"),
  ];
  assert.deepEqual(
    documented,
    codes.map((code) => ["docs/reference/error-codes.md", code]),
  );
});

test(`${commandLine} shows each command's help (UPDATE_GOLDEN=1 updates the page)`, async () => {
  const page = readPage(commandLine);
  let text = page.text;
  for (const command of commands) {
    const { status, stdout } = runCommand(root, [command, "--help"]);
    assert.equal(status, 0);
    const shown = new RegExp(`\`\`\`text\nUsage: wirewright ${command} [^]*?\`\`\`\n`);
    assert.match(text, shown);
    text = text.replace(shown, () => `\`\`\`text\n${stdout.trimEnd()}\n\`\`\`\n`);
  }
  await assertPage(page, text);
});

test(`${commandLine} shows a report exactly as diff prints it`, () => {
  const { stdout } = runCommand(root, ["diff", "dap@1.70.0", "dap@1.71.0"]);
  const { blocks } = readPage(commandLine);
  const report = blocks.find(({ text }) => text.startsWith("dap 1.70.0"))!;
  for (const line of report.text.trimEnd().split("\n"))
    if (line !== "…") assert.ok(stdout.split("\n").includes(line), line);
});

/** Replaces the rows of a page's tables with rows generated from the rules. */
function withRows(
  page: MarkdownPage,
  ...tables: readonly (readonly (readonly string[])[])[]
): string {
  const left = [...tables];
  return page.text.replace(/(^\|.*\n)+/gm, (table) => {
    const rows = left.shift();
    const [head, line] = table.split("\n");
    return rows === undefined
      ? table
      : [head, line, ...rows.map((cells) => `| ${cells.join(" | ")} |`), ""].join("\n");
  });
}

/**
 * Rewrites a sentence so that it can follow a colon, without the capital letter and the full stop.
 */
function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
}

/** Creates a table row for each of a protocol's rules, with links to the rule's sources. */
async function rowsOf(protocol: string): Promise<readonly string[][]> {
  const known = listRules(await readSessionRules(protocol));
  return [...known.values()]
    .filter(({ id }) => !lintRules.has(id) && !id.startsWith("bytes."))
    .map(({ id, severity, docs, source = [] }) => [
      `\`${id}\``,
      severity,
      docs,
      source.map((each) => `\`${each}\``).join(", "),
    ]);
}

test("docs/reference/lint-rules.md lists the lint rules (UPDATE_GOLDEN=1 updates the page)", async () => {
  const page = readPage("docs/reference/lint-rules.md");
  const rows = [...lintRules.values()].map(({ id, severity, docs }) => [
    `\`${id}\``,
    severity,
    docs,
  ]);
  const [ofDap = [], ...ofOthers] = await Promise.all(
    ["dap", "sqltools", "ruby-debug-ide", "acp-breakpoints"].map(rowsOf),
  );
  const { reasons, validator, statements } = readStatements();
  const ofStatements = statements.map(
    ({ place, sentence, says, rules: judges = [], validator: check, undecidable }) => [
      `\`${place}\``,
      `${sentence}`,
      says,
      [
        ...judges.map((each) => `\`${each}\``),
        ...(check === undefined ? [] : [`the validator: ${lowered(validator[check]!)}`]),
        ...(undecidable === undefined
          ? []
          : [
              judges.length > 0
                ? `in part: ${lowered(reasons[undecidable]!)}`
                : `no rule: ${lowered(reasons[undecidable]!)}`,
            ]),
      ].join(", "),
    ],
  );
  const { rules, readers } = readFramingRules();
  const ofBytes = rules.map(({ id, severity = "", docs, bytes }) => [
    `\`${id}\``,
    severity,
    docs,
    readers
      .filter(({ fails }) => Object.hasOwn(fails, bytes as string))
      .map(({ name, version }) => (version === undefined ? name : `${name} ${version}`))
      .join(", "),
  ]);
  const ofConfigurations = Object.entries(configurationRules).map(([id, { severity, docs }]) => [
    `\`${id}\``,
    severity,
    docs,
  ]);
  await assertPage(
    page,
    withRows(page, rows, ofDap, ...ofOthers, ofStatements, ofBytes, ofConfigurations),
  );
});

test("docs/reference/diff-rules.md lists the diff rules (UPDATE_GOLDEN=1 updates the page)", async () => {
  const page = readPage("docs/reference/diff-rules.md");
  const rows = [...rules.values()].map(({ id, oldToNew, newToOld, title }) => [
    `\`${id}\``,
    oldToNew,
    newToOld,
    title,
  ]);
  const outcomes = Object.entries(readOutcomes).map(
    ([name, { docs }]) => `- \`${name}\`: ${docs}.`,
  );
  const text = withRows(page, rows).replace(/(^- .*\n)+/m, () => `${outcomes.join("\n")}\n`);
  await assertPage(page, text);
});

test("docs/reference/conformance-coverage.md lists arguments and results (UPDATE_GOLDEN=1 updates the page)", async () => {
  const page = readPage("docs/reference/conformance-coverage.md");
  const coverage = readJson("conformance/coverage.json") as Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
  >;
  const rowsOf = (part: "arguments" | "result"): readonly (readonly string[])[] =>
    Object.entries(coverage[part]!).flatMap(([command, cells]) =>
      Object.entries(cells).map(([name, cell]) => [`\`${command}\``, `\`${name}\``, cell]),
    );
  await assertPage(page, withRows(page, rowsOf("arguments"), rowsOf("result")));
});
