import assert from "node:assert/strict";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import { formatInputError, InputError } from "../../../generator/base/input-error.js";
import type { LintedMessage } from "../../../sessions/judge/lint-options.js";
import type { LintReport } from "../../../sessions/judge/report.js";
import type { LintFinding } from "../../../sessions/judge/rules.js";
import { visible } from "../../../generator/base/visible-text.js";
import { assertPlain, forged, unseenCharacters } from "../../support/forged-text.js";
import { assertSamePage, assertAnnotations } from "../../support/forged-reports.js";

test("visible() escapes every invisible character and no visible one", () => {
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

test("visible() escapes workflow commands", () => {
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
  // Even a long line that looks like the beginning of a command takes only linear time.
  for (const unit of ["#", "##a", ":", " ", "##vso"]) visible(unit.repeat(500_000));
});

test("an input error escapes the text that it quotes", () => {
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

const lintFinding: LintFinding = {
  rule: forged,
  severity: "error",
  outcome: forged,
  index: 1,
  from: forged,
  label: forged,
  pointer: forged,
  message: forged,
  line: 7,
};

test("lint escapes every field in a report", async () => {
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
    await import("../../../sessions/judge/report.js");
  const { RecordingPage } = await import("../../../sessions/show/inspector/recording-page.js");
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

/** Returns the data with harmless text in place of the malicious text. */
function replaced<Data>(data: Data, text: string): Data {
  return JSON.parse(
    JSON.stringify(data, (_, value: unknown) =>
      typeof value === "string" ? value.replaceAll(forged, text) : value,
    ),
  ) as Data;
}
