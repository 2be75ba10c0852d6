import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { marked } from "marked";
import { SaxesParser } from "saxes";
import { diffFormats, printDiff } from "../../../generator/library/print-diff.js";
import { printRange } from "../../../generator/library/print-range.js";
import { judgeFindings } from "../../../generator/diff/accepted-findings.js";
import { diffProtocols } from "../../../generator/diff/diff-protocols.js";
import { verdicts } from "../../../generator/diff/compare/outcomes.js";
import { rules } from "../../../generator/diff/compare/rules.js";
import { levels } from "../../../generator/diff/finding.js";
import type { DiffReport } from "../../../generator/diff/report/report-text.js";
import { adviseBump, bumps } from "../../../generator/diff/version-bump.js";
import { compareVersions } from "../../../generator/diff/version-range.js";
import { readProtocol } from "../../../generator/index.js";
import { formatInputError, InputError } from "../../../generator/base/input-error.js";
import type { LintedMessage } from "../../../generator/lint/lint-session.js";
import { lintFormats, type LintReport } from "../../../generator/lint/report.js";
import { lintRules, type LintFinding } from "../../../generator/lint/rules.js";
import { openProtocolSource } from "../../../generator/read/protocol-source.js";
import { LiveJudge } from "../../../generator/tap/live-judge.js";
import { LiveView } from "../../../generator/tap/live-view.js";
import type { Observed } from "../../../generator/session/session-observer.js";
import { visible } from "../../../generator/base/visible-text.js";
import { withFolder, writeFiles } from "../../../tools/shared/compile.js";
import {
  assertPlain,
  assertShown,
  forged,
  poison,
  unseenCharacters,
} from "../../support/forged-text.js";
import { fromRoot } from "../../../tools/shared/paths.js";
import { runCommand } from "../../support/run-command.js";

test("visible() shows every character that nobody would see, and leaves others alone", () => {
  for (const character of unseenCharacters()) {
    const code = [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join("");
    assert.equal(visible(`a${character}b`), `a${code}b`);
    assert.equal(visible(character), code);
  }
  for (const text of [
    "",
    " ",
    "a b",
    "größe",
    "日本語",
    "שלום",
    "❤\ufe0f",
    "🙂",
    "a::b",
    "#1 a##x b",
    "%0A",
  ])
    assert.equal(visible(text), text);
});

test("visible() leaves no command to a build service", () => {
  for (const [text, shown] of [
    ["::error::x", "\\u003a:error::x"],
    [" \u00a0::error::x", " \u00a0\\u003a:error::x"],
    [":", "\\u003a"],
    ["a\n::error::x", "a\\u000a::error::x"],
    ["a ##[error]x", "a \\u0023#[error]x"],
    ["###[error]x", "#\\u0023#[error]x"],
    ["##vso[x]", "\\u0023#vso[x]"],
    ["##", "\\u0023#"],
  ] as const) {
    assert.equal(visible(text), shown);
    assert.equal(visible(shown), shown);
  }
  // Long lines of what might begin a command take no longer for it.
  for (const unit of ["#", "##a", ":", " ", "##vso"]) visible(unit.repeat(500_000));
});

test("an input error shows whatever it is about", () => {
  const error = new InputError(
    "ERR_JSON",
    forged,
    { file: forged, pointer: forged, line: 1, column: 2 },
    forged,
  );
  const text = formatInputError(error);
  assertPlain(text, "the error");
  assert.equal(text.split("\n").length, 2);
  assertPlain(error.message, "the message");
  assert.equal(error.place.file, forged);
});

const place = { file: forged, pointer: forged, line: 3, column: 4 };

const lintFinding: LintFinding = {
  rule: forged,
  severity: "error",
  outcome: forged,
  index: 1,
  from: forged,
  label: forged,
  pointer: forged,
  text: forged,
  line: 7,
};

test("lint prints no field of a report raw", async () => {
  const message: LintedMessage = {
    index: 1,
    from: forged,
    kind: "request",
    label: forged,
    hasFailed: true,
    time: 1,
    latency: 2,
  };
  const report: LintReport = {
    file: forged,
    protocol: forged,
    version: forged,
    profile: forged,
    messages: 1,
    roles: [forged, forged],
    host: forged,
    counts: { error: 1, warning: 1, info: 0 },
    unlisted: { [forged]: 3 },
    findings: [lintFinding, { ...lintFinding, index: 0, severity: "warning" }],
    groups: [
      { first: lintFinding, last: lintFinding, count: 1, pointer: forged, isVaried: false },
      { first: lintFinding, last: lintFinding, count: 2, pointer: forged, isVaried: true },
    ],
    ungrouped: { [forged]: 3 },
  };
  const { printGithubReport, printJsonReport, printTextReport } =
    await import("../../../generator/lint/report.js");
  const { RecordingPage } = await import("../../../generator/inspector/inspect-recording.js");
  for (const isFull of [true, false]) {
    const text = printTextReport(report, { paint: (_, each) => each, isFull });
    assertPlain(text, "text");
    assert.equal(text.split("\n").length, 6);
  }
  const json = printJsonReport(report);
  assertPlain(json, "json");
  const { groups: _groups, ungrouped: _ungrouped, ...rest } = report;
  assert.deepEqual(JSON.parse(json), { report: "lint", reportVersion: 1, ...rest });
  assertAnnotations(printGithubReport(report), 2);
  const protocol = await readProtocol("dap");
  const pageOf = (about: LintReport, text: string): string => {
    const page = new RecordingPage(protocol);
    page.onEntry({ message: { [text]: text }, time: 1 }, replaced(message, text));
    page.onFinding(replaced(lintFinding, text));
    return page.print(about, new Map(), { isOneSided: true });
  };
  assertSamePage(pageOf(report, forged), (text) => pageOf(replaced(report, text), text));
});

/** The same data with a harmless text in place of the forged one. */
function replaced<Data>(data: Data, text: string): Data {
  return JSON.parse(
    JSON.stringify(data, (_, value: unknown) =>
      typeof value === "string" ? value.replaceAll(forged, text) : value,
    ),
  ) as Data;
}

/** Tags and attributes of a page, without what they hold. */
function tagsOf(page: string): readonly string[] {
  return page.replaceAll(/"[^"]*"/g, '""').match(/<[^>]*>?/g) ?? [];
}

function assertSamePage(page: string, withText: (text: string) => string): void {
  assertPlain(page, "html");
  assert.deepEqual(tagsOf(page), tagsOf(withText("x")));
}

/** Reads annotations as the runner of GitHub Actions does. */
function assertAnnotations(text: string, count: number): void {
  assertShown(text, "github");
  const lines = text.split("\n");
  assert.equal(lines.length, count);
  for (const line of lines) {
    const [, command, properties, data] = /^::([a-z]+) ([^:]*)::(.*)$/.exec(line) ?? [];
    assert.match(command ?? "", /^(error|warning|notice)$/, line);
    const names = properties!.split(",").map((each) => each.split("=")[0]);
    assert.deepEqual(
      names.filter((name) => !["file", "line", "col", "title"].includes(name!)),
      [],
      line,
    );
    const unescaped = data!.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%");
    assertShown(unescaped, "an annotation");
    assert.doesNotMatch(unescaped, /\n/);
  }
}

/** What a renderer makes of Markdown: no link, no picture, no HTML, nobody who is told, nothing crossed out. */
function assertMarkdown(text: string, withText: (text: string) => string): void {
  assertPlain(text, "markdown");
  const tags = (source: string): readonly string[] => {
    const page = marked.parse(source, { async: false });
    const read = page
      .replaceAll(/<code>[^]*?<\/code>/g, "<code>")
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&#39;", "'");
    assert.doesNotMatch(read, /@\w|#\d|:\/\/|www\./);
    // Of code there may be more pieces: what is kept apart is.
    return (page.match(/<[^>]*>/g) ?? []).filter((tag) => !/^<\/?code>$/.test(tag));
  };
  assert.deepEqual(tags(text), tags(withText("x")));
}

const words = new Set<string>([
  ...levels,
  ...verdicts,
  ...bumps,
  ...rules.keys(),
  ...["missing", "type", "excess", "gone", "overlap", "always", "direct-use", "whole-value"],
  ...["definition.renamed", "strict", "schema", "tolerant", "none", "message", "property", "value"],
]);
const foreignKeys = new Set(["wire", "source", "message"]);

async function hostileDiff(): Promise<DiffReport> {
  const open = async (name: string) =>
    openProtocolSource(
      fromRoot(`test/fixtures/hostile-pair/${name}.json`),
      fromRoot("test/fixtures/elementary"),
    );
  const [before, after] = [await open("before"), await open("after")];
  const diff = diffProtocols(before.protocol, after.protocol);
  const known = { id: "type.changed", at: "A.b", reason: "r" };
  return {
    diff: { ...diff, notes: [{ id: "definition.renamed", before: "Old", after: "New" }] },
    bump: adviseBump(diff, "2.0.0"),
    judgement: judgeFindings(
      diff.findings,
      [known, { ...known, until: "2020-01-01" }],
      "2021-01-01",
    ),
  };
}

for (const format of diffFormats) {
  for (const expand of [false, true]) {
    test(`diff prints no field of a report raw as ${format}${expand ? ", all of it" : ""}`, async () => {
      const harmless = await hostileDiff();
      const render = (text: string, colours = false): Promise<string> => {
        const report = poison(harmless, text, { words, foreignKeys });
        const at = { ...place, file: `${text}a.json` };
        const file = { name: text, value: null, locate: () => at };
        return printDiff({ ...report, before: file, after: file }, format, {
          from: "doc",
          expand,
          colours,
        });
      };
      const text = await render(forged);
      const plain = await render("x");
      switch (format) {
        case "text": {
          assertPlain(text, format);
          assert.equal(text.split("\n").length, plain.split("\n").length);
          const coloured = await render(forged, true);
          assert.equal(coloured.replaceAll(/\u001b\[\d+m/g, "").length > 0, true);
          assertPlain(coloured.replaceAll(/\u001b\[(31|32|33|36|2|1|0)m/g, ""), "colours");
          break;
        }
        case "markdown":
          assertMarkdown(text, () => plain);
          break;
        case "html":
          assertSamePage(text, () => plain);
          break;
        case "github":
          assertAnnotations(text, plain.split("\n").length);
          break;
        case "junit": {
          assertPlain(text, format);
          const names = (source: string): readonly string[] => {
            const found: string[] = [];
            const parser = new SaxesParser();
            parser.on("opentag", ({ name, attributes }) => {
              found.push(name, ...Object.keys(attributes));
              for (const value of Object.values(attributes)) assertShown(String(value), name);
            });
            parser.on("text", (each) => assertShown(each, format));
            parser.write(source).close();
            return found;
          };
          assert.deepEqual(names(text), names(plain));
          break;
        }
        case "json": {
          assertPlain(text, format);
          const report = poison(harmless, forged, { words, foreignKeys });
          const parsed = JSON.parse(text) as { findings: object[]; notes: object[] };
          assert.deepEqual(parsed.notes, report.diff.notes);
          assert.deepEqual(
            parsed.findings,
            report.judgement.open.map((finding) => ({
              ...finding,
              ...(finding.before && {
                before: { ...place, file: `${forged}a.json`, pointer: finding.before.pointer },
              }),
              ...(finding.after && {
                after: { ...place, file: `${forged}a.json`, pointer: finding.after.pointer },
              }),
            })),
          );
          break;
        }
        case "sarif": {
          assertPlain(text, format);
          const parsed = JSON.parse(text) as {
            runs: [{ results: { message: { text: string }; locations: Location[] }[] }];
          };
          interface Location {
            physicalLocation: { artifactLocation: { uri: string } };
            logicalLocations: { fullyQualifiedName: string }[];
          }
          for (const { message, locations } of parsed.runs[0].results) {
            assertPlain(message.text, "a result");
            for (const { physicalLocation, logicalLocations } of locations) {
              assert.match(physicalLocation.artifactLocation.uri, /^[\w.~!*'()%/-]+$/);
              for (const { fullyQualifiedName } of logicalLocations)
                assertPlain(fullyQualifiedName, "a name");
            }
          }
          break;
        }
        default:
          format satisfies never;
      }
    });
  }
}

for (const format of diffFormats) {
  test(`diff prints no field of a range raw as ${format}`, async () => {
    const versions = ["1.51.0", "1.65.0", "1.71.0"];
    const protocols = await Promise.all(
      versions.map((version) => readProtocol("dap", { version })),
    );
    const compared = compareVersions(protocols);
    const range = {
      ...compared,
      pairs: compared.pairs.map((pair) => ({ ...pair, worseThanSteps: true })),
      since: [
        ...compared.since.slice(0, 3),
        { kind: "value", at: "a", version: "1.65.0", until: "1.71.0" } as const,
      ],
      reused: [
        {
          at: "A.b",
          before: { version: "1.51.0", type: "string" },
          after: { version: "1.71.0", type: "number" },
        },
      ],
    };
    const { diff, judgement } = await hostileDiff();
    const cell = { diff, open: judgement.open, judgement };
    for (const expand of [false, true]) {
      const isBrief = format === "text" || format === "json" || format === "markdown";
      const cells = expand || !isBrief ? [cell, cell, cell] : [];
      const render = (text: string): Promise<string> => {
        const poisoned = poison({ range, cells }, text, { words, foreignKeys });
        const file = { name: text, value: null, locate: () => ({ ...place, file: text }) };
        const schemas = Object.assign(new Map(), { get: () => file });
        return printRange({ ...poisoned, schemas }, format, {
          from: "doc",
          expand,
          columns: 1_000_000,
        });
      };
      const [text, plain] = [await render(forged), await render("x")];
      if (format === "markdown") assertMarkdown(text, () => plain);
      else if (format === "html") assertSamePage(text, () => plain);
      else if (format === "github") assertAnnotations(text, plain.split("\n").length);
      else assertPlain(text, format);
      if (format === "text") assert.equal(text.split("\n").length, plain.split("\n").length);
      if (format === "json" && !expand) {
        const {
          report: _report,
          reportVersion: _version,
          ...rest
        } = JSON.parse(text) as Record<string, unknown>;
        assert.deepEqual(rest, poison(range, forged, { words, foreignKeys }));
      }
    }
  });
}

const live: readonly Observed[] = [
  forged,
  [forged],
  { [forged]: forged },
  [[[forged]]],
  undefined,
  null,
].flatMap((value): Observed[] => {
  const common = { time: 1, offset: 0, length: 9 };
  const messages = [
    { seq: value, type: "request", command: value, arguments: { [forged]: value } },
    { seq: 1, type: "request", command: forged, arguments: value },
    { seq: value, type: "event", event: value, body: value },
    { seq: 2, type: "event", event: "stopped", body: { reason: value, [forged]: value } },
    {
      seq: 3,
      type: "response",
      request_seq: value,
      command: value,
      success: false,
      message: value,
    },
    { seq: 4, type: "response", request_seq: 1, command: value, success: true, body: value },
    { seq: 5, type: "response", request_seq: [1], command: "next", success: value },
    { seq: value, type: value, [forged]: value },
    { [forged]: forged },
  ];
  return messages.flatMap((message): Observed[] => [
    { kind: "message", from: "client", message, ...common },
    { kind: "message", from: "adapter", message, ...common },
  ]);
});
const otherwise: readonly Observed[] = [
  {
    kind: "fault",
    from: "client",
    time: 1,
    offset: 2,
    length: 3,
    code: "ERR_HEADER_LINE",
    text: forged,
  },
  { kind: "noise", from: "adapter", time: 1, offset: 2, length: 3, text: forged },
  { kind: "end", from: "adapter", time: 1, how: "exited with 1" },
];

test("tap prints a line for each thing, whatever a peer put into it", async () => {
  const protocol = await readProtocol("dap");
  const colours = /\u001b\[(31|32|33|36|2|1|0)m/g;
  for (const hasColours of [false, true]) {
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    const view = new LiveView(protocol, print, { colours: hasColours, bodyLines: 20 });
    const judge = new LiveJudge(protocol, {}, (finding) => view.find(finding));
    for (const each of [...live, ...otherwise]) {
      const before = lines.length;
      view.observe(each);
      assert.ok(each.kind === "message" || lines.length === before + 1);
      judge.judge(each);
    }
    judge.end();
    assert.ok(lines.length > 150);
    for (const line of lines) {
      const text = hasColours ? line.replaceAll(colours, "") : line;
      assertPlain(text, "a line");
      assert.doesNotMatch(text, /\n/);
    }
  }
});

test("a response is found by a number, not by a list with a number in it", async () => {
  const protocol = await readProtocol("dap");
  const lines: string[] = [];
  const view = new LiveView(protocol, (line) => lines.push(line), { colours: false });
  const show = (from: string, message: object): void =>
    view.observe({ kind: "message", from, time: 0, offset: 0, length: 1, message });
  show("client", { seq: 1, type: "request", command: "next" });
  const response = { seq: 1, type: "response", command: ["a\n::stop-commands::x"], success: true };
  show("adapter", { ...response, request_seq: [1] });
  show("adapter", { ...response, request_seq: "x".repeat(1_000) });
  show("adapter", { ...response, request_seq: 1 });
  assert.deepEqual(lines, [
    "   0.000s → request 1 next  1 B",
    '   0.000s ← response [1] ["a\\n::stop-commands::x"]  ok to nothing  1 B',
    `   0.000s ← response ${"x".repeat(60)}… ["a\\n::stop-commands::x"]  ok to nothing  1 B`,
    "   0.000s ← response 1 next  ok after 0.0 ms  1 B",
  ]);
});

test("lint prints nothing of a recording raw, in any format", async () => {
  // The name of a file cannot hold these.
  const name = `${forged.replaceAll(/[\0/\ud800-\udfff]/g, "").slice(0, 80)}.jsonl`;
  await withFolder((folder) => {
    const line = forged.replaceAll(/[\r\n]/g, "");
    const entry = (from: unknown, message: unknown): string =>
      JSON.stringify({ kind: "message", from, time: 1, offset: 0, length: 1, message });
    const recording = [
      JSON.stringify({
        recording: "wirewright",
        form: 1,
        protocol: forged,
        version: forged,
        roles: [forged, forged],
        began: forged,
      }),
      ...live.flatMap((each) => (each.kind === "message" ? [entry(each.from, each.message)] : [])),
      ...otherwise.map((each) => JSON.stringify(each)),
      JSON.stringify({ ...otherwise[0], code: forged }),
      forged.replaceAll("\n", " "),
    ].join("\n");
    writeFiles(folder, {
      [name]: recording,
      [`stranger-${name}`]: entry(forged, { seq: 1, type: "event", event: "initialized" }),
      "host.json": JSON.stringify({
        name: "host",
        title: line,
        outcomes: { [line]: { severity: "error", docs: line } },
        rules: [{ id: "A-B1", outcome: line, docs: line, custom: true }],
      }),
    });
    for (const format of lintFormats) {
      const { status, stdout, stderr } = runCommand(folder, [
        ...["lint", name, "--format", format, "--host", "host.json"],
      ]);
      assert.deepEqual([status, stderr], [1, ""]);
      const refused = runCommand(folder, ["lint", `stranger-${name}`, "--format", format]);
      assert.deepEqual([refused.status, refused.stdout], [2, ""]);
      assertPlain(refused.stderr.replace(/\n$/, ""), "a refusal");
      const text = stdout.replace(/\n$/, "");
      if (format === "github") assertAnnotations(text, text.split("\n").length);
      else assertPlain(text, format);
      if (format === "html")
        assert.deepEqual(
          [...text.replace(/(<script>)[^]*?(<\/script>)/, "$1$2").matchAll(/<([a-z]+)/g)].map(
            ([, tag]) => tag,
          ),
          ["html", "head", "meta", "meta", "meta", "meta", "title", "style", "body", "div"].concat([
            "noscript",
            "script",
            "script",
            "script",
          ]),
        );
      if (format === "json") {
        const { file, findings } = JSON.parse(text) as { file: string; findings: LintFinding[] };
        assert.equal(file, name);
        assert.ok(findings.length > 50);
      }
    }
  });
});

interface Refusal {
  readonly name: string;
  readonly args: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** What an argument can hold. */
const argument = forged.replaceAll(/[\0\ud800-\udfff]/g, "");
const fileName = argument.replaceAll("/", "").slice(0, 60);
const definitions = (text: string): string => `{ "definitions": { ${text} } }`;
const quotedText = JSON.stringify(forged);

const schemas: Readonly<Record<string, string>> = {
  "no JSON": forged,
  "a duplicate key": `{ ${quotedText}: 1, ${quotedText}: 2 }`,
  "an unknown keyword at the root": `{ ${quotedText}: 1 }`,
  "an unknown keyword": definitions(`"A": { ${quotedText}: 1 }`),
  "a name that is none": definitions(`${quotedText}: { "type": "string" }`),
  "a reference to nothing": definitions(
    `"A": { "$ref": ${JSON.stringify(`#/definitions/${forged}`)} }`,
  ),
  "a reference outside": definitions(`"A": { "$ref": ${quotedText} }`),
  "an unknown type": definitions(`"A": { "type": ${quotedText} }`),
  "a property of no type": definitions(
    `"A": { "type": "object", "properties": { ${quotedText}: { "type": 1 } } }`,
  ),
  "a required property that is none": definitions(
    `"A": { "type": "object", "required": [1, ${quotedText}] }`,
  ),
  "an empty enum": definitions(`"A": { "properties": { ${quotedText}: { "enum": [] } } }`),
  "a letter that nobody sees": definitions(`"A\u3164": { "type": "string" }`),
};

const refusals: readonly Refusal[] = [
  { name: "a command", args: [argument] },
  { name: "an option", args: ["generate", `--${argument}`] },
  { name: "an argument too many", args: ["generate", "dap", argument] },
  { name: "a protocol", args: ["generate", argument] },
  { name: "a version", args: ["generate", "dap", "--version", argument] },
  { name: "a package name", args: ["generate", "dap", "--package", argument] },
  { name: "a configuration that is not there", args: ["generate", "--config", argument] },
  { name: "a format", args: ["diff", "dap", "dap", "--format", argument] },
  { name: "a range", args: ["diff", "--range", argument] },
  { name: "a rule", args: ["diff", "explain", argument] },
  { name: "a severity", args: ["diff", "dap", "dap", "--severity", `${argument}=off`] },
  { name: "a source", args: ["diff", argument, "dap"] },
  { name: "a revision", args: ["diff", `${argument}:a.json`, "dap"] },
  { name: "a recording that is not there", args: ["lint", argument] },
  { name: "a host", args: ["lint", "a", "--host", argument] },
  { name: "an address", args: ["tap", "--connect", argument] },
  { name: "a program", args: ["tap", "--", argument] },
  { name: "a place to record to", args: ["tap", "--out", `${argument}/x`, "--", "true"] },
  { name: "a recording without messages", args: ["lint", fileName], files: { [fileName]: forged } },
  ...Object.entries(schemas).flatMap(([name, text]): Refusal[] => [
    {
      name: `a schema with ${name}`,
      args: ["generate", "dap", "--schema", fileName],
      files: { [fileName]: text },
    },
    {
      name: `an overlay with ${name}`,
      args: ["generate", "dap", "--strict-schema", "--overlay", fileName],
      files: { [fileName]: text },
    },
    {
      name: `a schema to compare with ${name}`,
      args: ["diff", "dap", "-", "--format", "json"],
      input: text,
    },
  ]),
  ...(
    [
      ["no JSON", forged],
      ["an unknown key", `{ "packages": [{ "protocol": "dap", "out": "x", ${quotedText}: 1 }] }`],
      ["an unknown protocol", `{ "packages": [{ "protocol": ${quotedText}, "out": "x" }] }`],
      [
        "a package name",
        `{ "packages": [{ "protocol": "dap", "out": "x", "package": ${quotedText} }] }`,
      ],
      [
        "one folder twice",
        `{ "packages": [{ "protocol": "dap", "out": ${quotedText} }, { "protocol": "dap", "out": ${quotedText} }] }`,
      ],
    ] as const
  ).map(([name, text]) => ({
    name: `a configuration with ${name}`,
    args: ["generate", "--config", fileName],
    files: { [fileName]: text },
  })),
  {
    name: "a description with an unknown key",
    args: ["generate", "protocol"],
    files: { "protocol/protocol.json": `{ ${quotedText}: 1 }` },
  },
  {
    name: "acceptances with an unknown key",
    args: ["diff", "dap", "dap", "--accept", fileName],
    files: { [fileName]: `{ "accept": [], ${quotedText}: 1 }` },
  },
  {
    name: "a host with an unknown key",
    args: ["lint", "a", "--host", "h.json"],
    files: { "h.json": `{ ${quotedText}: 1 }` },
  },
  {
    name: "a host with an unknown outcome",
    args: ["lint", "a", "--host", "h.json"],
    files: {
      "h.json": `{ "name": "h", "title": "h", "outcomes": { ${quotedText}: { "severity": "error", "docs": "x" } }, "rules": [{ "id": "A-B1", "outcome": ${JSON.stringify(`${forged}?`)}, "docs": "x" }] }`,
    },
  },
  {
    name: "declarations without types",
    args: ["diff", `${fileName}.d.ts`, "dap"],
    files: { [`${fileName}.d.ts`]: `declare const a: ${quotedText};` },
  },
  {
    name: "declarations with a type that is none",
    args: ["diff", "a.d.ts", "dap"],
    files: { "a.d.ts": `interface A { a: Foreign<${quotedText}>; [${quotedText}]: typeof x }` },
  },
];

for (const { name, args, files = {}, input } of refusals) {
  test(`${name} that is forged ends in a sentence on lines of its own`, async () => {
    await withFolder((folder) => {
      mkdirSync(join(folder, "empty"));
      writeFiles(folder, files);
      const { status, stdout, stderr } = runCommand(folder, args, input);
      assert.equal(status, 2, stderr);
      assertPlain(stderr, "stderr");
      assert.match(stderr, /^[^\n]+\[ERR_[A-Z_]+\]\n( {2}[^\n]+\n)?$/);
      assertPlain(stdout, "stdout");
      if (stdout !== "") assert.equal((JSON.parse(stdout) as { report: string }).report, "error");
    });
  });
}

test("what the commands list is ours", () => {
  for (const args of [
    ["diff", "rules"],
    ["lint", "rules"],
    ...[...rules.keys()].slice(0, 3).map((id) => ["diff", "explain", id]),
  ]) {
    const { status, stdout } = runCommand(fromRoot("."), args);
    assert.equal(status, 0);
    assertPlain(stdout, args.join(" "));
  }
  assert.ok(lintRules.size > 0);
});
