import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { format } from "prettier";
import { configurationRules } from "../../generator/configuration/configuration-rules.js";
import { readOutcomes } from "../../generator/diff/compare/outcomes.js";
import { lintRules, listRules } from "../../generator/index.js";
import { readSessionRules } from "../../generator/lint/session-rules.js";
import { rules } from "../../generator/diff/compare/rules.js";
import { readFramingRules } from "../../generator/lint/framing-rules.js";
import { logFormats } from "../../generator/session/logs/log-formats.js";
import { compilePrograms, withFolder } from "../../tools/shared/compile.js";
import {
  brokenLinks,
  documentationPages,
  parsePage,
  readPage,
  type MarkdownPage,
} from "../support/markdown-page.js";
import { fromRoot, root } from "../../tools/shared/paths.js";
import { runCommand } from "../support/run-command.js";
import { readStatements } from "../support/statements.js";

const pages = documentationPages();
const commands = [
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
const commandLine = "docs/reference/cli.md";

/** The members of a union of texts in a source file. */
function unionOf(path: string, name: string): string[] {
  const source = readFileSync(fromRoot(path), "utf8");
  const declaration = new RegExp(`export type ${name} =([^;]*);`).exec(source)![1]!;
  return [...declaration.matchAll(/"(\w+)"/g)].map((match) => match[1]!);
}

/** Compares a page with what it should be, or writes it where `UPDATE_GOLDEN` asks for that. */
async function assertPage(page: MarkdownPage, text: string): Promise<void> {
  const formatted = await format(text, { parser: "markdown" });
  if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(fromRoot(page.path), formatted);
  assert.equal(readFileSync(fromRoot(page.path), "utf8"), formatted, "set UPDATE_GOLDEN");
}

test("README has at most 150 lines, and begins with a short example", () => {
  const { text, blocks } = readPage("README.md");
  const lines = text.trimEnd().split("\n");
  assert.ok(lines.length <= 150, `${lines.length} lines`);
  const example = blocks.find(({ language }) => language === "ts")!;
  assert.ok(example.text.trim().split("\n").length <= 30);
});

test("each error code is documented once, in the order of the source", () => {
  const documented = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/^\| `(ERR_\w+)` +\|/gm)].map((match) => [path, match[1]!]),
  );
  const codes = [
    ...unionOf("runtime/frames/frame-faults.ts", "FrameFaultCode"),
    ...unionOf("runtime/json/encode-error.ts", "EncodeErrorCode"),
    ...unionOf("runtime/connection/request-error.ts", "RequestErrorCode"),
    ...unionOf("protocols/dap/session/session-error.ts", "SessionErrorCode"),
    ...unionOf("runtime/connection/connection-settings.ts", "ProblemCode"),
    ...unionOf("runtime/lanes/lane-error.ts", "LaneErrorCode"),
    ...unionOf("runtime/lanes/lane-error.ts", "LaneProblemCode"),
  ];
  assert.deepEqual(
    documented,
    codes.map((code) => ["docs/reference/error-codes.md", code]),
  );
});

test("the examples of every page compile against the packages", async () => {
  const examples = pages.flatMap(({ path, blocks }) =>
    blocks
      // Blocks that show a file are compiled, and run, by own-protocol.test.ts and configuration-guide.test.ts.
      .filter(({ language, file }) => language === "ts" && file === undefined)
      .map(({ text }, index) => [`${path.replaceAll("/", "-")}-${index}.ts`, text] as const),
  );
  const shown = new Set(examples.map(([name]) => name.replace(/\.md-\d+\.ts$/, "")));
  const guides = [
    ...["adapter", "client", "dialects", "from-debugadapter", "proxy", "testing"],
    "troubleshooting",
  ].map((name) => `docs-guides-${name}`);
  assert.deepEqual([...shown], [...guides, "docs-reference-tolerances-and-issues"]);
  await withFolder((folder) => {
    // What an example takes from elsewhere.
    const given =
      "declare const received: unknown;\ndeclare function use(...all: unknown[]): void;\n";
    const files = examples.map(([name, example]): [string, string] => [
      name,
      given +
        example.replaceAll(
          /"@wirewright\/([a-z-]+)(?:\/([a-z-]+))?"/g,
          (_, protocol: string, entry: string | undefined) =>
            JSON.stringify(fromRoot(`generated/${protocol}/${entry ?? "index"}.js`)),
        ),
    ]);
    assert.equal(compilePrograms(folder, files), "");
  });
});

/** Pages whose files tests compile and run: own-protocol, own-reader, lsp, mcp and cdp. */
const shownElsewhere = [
  "cdp",
  "from-code",
  "lsp",
  "mcp",
  "own-protocol",
  "own-reader",
  "programs",
  "launch-configurations",
].map((name) => `docs/guides/${name}.md`);

test("no block of code is of a language that no test knows", () => {
  for (const { path, blocks } of pages)
    for (const { language, file } of blocks) {
      assert.match(language, /^(ts|js|json|sh|text|yaml|sql|)$/, path);
      // Blocks that show an example are compared with it, and run, by shown-examples.test.ts.
      if (file?.startsWith("examples/") === false) assert.ok(shownElsewhere.includes(path), file);
    }
  const json = pages.flatMap(({ blocks }) => blocks.filter(({ language }) => language === "json"));
  assert.ok(json.length > 2);
  for (const { text } of json) assert.equal(typeof JSON.parse(text), "object");
});

test("every script that a page tells to run exists", () => {
  const scriptsOf = (folder: string): object =>
    (JSON.parse(readFileSync(fromRoot(`${folder}package.json`), "utf8")) as { scripts: object })
      .scripts;
  const named = pages.flatMap(({ text }) => [
    ...text.matchAll(/npm (?:--prefix (\S+) )?run ([\w:-]*\w)/g),
  ]);
  assert.ok(named.length > 20, `${named.length} scripts`);
  for (const [, folder, script] of named)
    assert.ok(script! in scriptsOf(folder === undefined ? "" : `${folder}/`), script);
});

test("every link of every page leads somewhere", () => {
  assert.ok(pages.flatMap(({ links }) => links).length > 50);
  assert.deepEqual(brokenLinks(pages), []);
});

test("links to files, pages and headings that do not exist are found", () => {
  const page = (path: string, text: string): MarkdownPage => parsePage(path, text);
  const here = "# One\n\n## `Two`, three!\n\n## One\n\n";
  assert.deepEqual(
    brokenLinks([
      page(
        "docs/a.md",
        `${here}[1](#one) [2](#two-three) [3](#one-1) [4](../README.md) [5](b/c.md#x)`,
      ),
      page(
        "docs/b/c.md",
        "# X\n\n[up](../a.md#one) [code](../../runtime/index.ts) [net](https://a.b/#c)",
      ),
      page(
        "docs/d.md",
        "[1](#none) [2](a.md#two) [3](e.md) [4](../../up.md) [5](../runtime/index.ts#x)",
      ),
      page("docs/f.md", "```\n[1](none.md)\n```\n\n`[2](none.md)` and\n\n- [3](none.md)\n"),
    ]),
    [
      "docs/d.md: #none",
      "docs/d.md: a.md#two",
      "docs/d.md: e.md",
      "docs/d.md: ../../up.md",
      "docs/d.md: ../runtime/index.ts#x",
      "docs/f.md: none.md",
    ],
  );
});

test("every path that a page names exists", () => {
  const places = pages.flatMap(({ path, spans }) =>
    spans
      .filter((span) =>
        /^(runtime|generator|schema|protocols|test|docs|tools)\/[\w./-]+$/.test(span),
      )
      .filter((span) => !/[A-Z]{2}/.test(span.replace(/README\.md$/, "")))
      .map((span) => [path, span] as const),
  );
  assert.ok(places.length > 20, `${places.length} paths`);
  for (const [path, span] of places) assert.ok(existsSync(fromRoot(span)), `${path}: ${span}`);
});

test(`${commandLine} shows the help of each command: set UPDATE_GOLDEN to write it`, async () => {
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

test("every command line that a page shows has options that its command knows", () => {
  const lines = pages.flatMap(({ blocks }) =>
    blocks
      .filter(({ language }) => language === "sh")
      .flatMap(({ text }) => text.split("\n"))
      .filter((line) => line.startsWith("npx wirewright ")),
  );
  assert.ok(lines.length > 10, `${lines.length} lines`);
  const help = new Map(
    commands.map((command) => [command, runCommand(root, [command, "--help"]).stdout]),
  );
  for (const line of lines) {
    const [call = ""] = line.split(/ #| -- /);
    const text = help.get(call.split(" ")[2]!);
    assert.ok(text !== undefined, line);
    for (const [option] of call.matchAll(/--[\w-]+/g))
      assert.match(text, new RegExp(`^  ${option}\\b`, "m"), line);
  }
});

test(`${commandLine} shows a report as diff prints it`, () => {
  const { stdout } = runCommand(root, ["diff", "dap@1.70.0", "dap@1.71.0"]);
  const { blocks } = readPage(commandLine);
  const report = blocks.find(({ text }) => text.startsWith("dap 1.70.0"))!;
  for (const line of report.text.trimEnd().split("\n"))
    if (line !== "…") assert.ok(stdout.split("\n").includes(line), line);
});

/** The table of a page, with rows that are made of the rules. */
function withRows(page: MarkdownPage, ...tables: readonly (readonly string[])[][]): string {
  const left = [...tables];
  return page.text.replace(/(^\|.*\n)+/gm, (table) => {
    const rows = left.shift();
    const [head, line] = table.split("\n");
    return rows === undefined
      ? table
      : [head, line, ...rows.map((cells) => `| ${cells.join(" | ")} |`), ""].join("\n");
  });
}

/** A sentence that follows a colon. */
function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
}

test("docs/reference/lint-rules.md lists the rules of lint: set UPDATE_GOLDEN to write it", async () => {
  const page = readPage("docs/reference/lint-rules.md");
  const rows = [...lintRules.values()].map(({ id, severity, docs }) => [
    `\`${id}\``,
    severity,
    docs,
  ]);
  const known = listRules(await readSessionRules("dap"));
  const ofDap = [...known.values()]
    .filter(({ id }) => !lintRules.has(id) && !id.startsWith("bytes."))
    .map(({ id, severity, docs, source = [] }) => [
      `\`${id}\``,
      severity,
      docs,
      source.map((each) => `\`${each}\``).join(", "),
    ]);
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
  await assertPage(page, withRows(page, rows, ofDap, ofStatements, ofBytes, ofConfigurations));
});

test(`${commandLine} lists the formats of logs: set UPDATE_GOLDEN to write it`, async () => {
  const page = readPage(commandLine);
  const rows = logFormats.map(({ name, title }) => `| \`${name}\` | ${title} |\n`);
  const table = /(^\| format.*\n\|.*\n)(?:\|.*\n)*/m;
  await assertPage(
    page,
    page.text.replace(table, (_, head: string) => head + rows.join("")),
  );
});

test("docs/reference/diff-rules.md lists the rules of diff: set UPDATE_GOLDEN to write it", async () => {
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
