import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Ajv } from "ajv";
import { SaxesParser } from "saxes";
import {
  adapterResults,
  checks,
  languages,
  reportBadge,
  reportJunit,
  reportMarkdown,
  reportPages,
  reportText,
  unexpectedOf,
  type AdapterResults,
  type CheckResult,
} from "../../conformance/index.js";
import { entriesOf } from "../../conformance/run/recordings.js";
import {
  failedChecks,
  inTodaysTerms,
  isOutdated,
  printConformancePage,
  type Causes,
} from "../../conformance/published/published-pages.js";
import { countsOf, withEarlier } from "../../conformance/report/adapter-results.js";
import { marks, type ProgramName } from "../../conformance/session/programs.js";
import { openProtocol } from "../../cli/index.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { setView, skipWithoutBrowser, withPage } from "../support/headless-browser.js";
import { fromRoot, readJson } from "../support/paths.js";
import { framed } from "../support/framed-text.js";

const check = (id: string, status: CheckResult["status"], more: object = {}): CheckResult => ({
  check: id,
  title: `Title of ${id}`,
  level: "must",
  stated: "Response",
  sentence: "Response for a request.",
  status,
  ...more,
});

const failure = {
  case: "steps",
  expected: "<b>",
  actual: 'a | b & "c"\u0001',
  message: 3,
  failures: 2,
};
const results: AdapterResults = adapterResults(
  "one",
  {
    language: "python",
    command: ["adapter"],
    title: "Adapter",
    version: "1.0",
    expected: { "bp-02": "known" },
  },
  "1.71.0",
  {
    capabilities: {},
    uses: { supportsRestartRequest: { status: "working", checks: ["end-06"] } },
    checks: [
      check("base-01", "pass"),
      check("base-02", "fail", failure),
      check("bp-01", "blocked", { case: "steps", text: "no stop" }),
      check("bp-02", "fail", failure),
      check("bp-03", "not-applicable", { text: "not announced" }),
      check("bp-04", "fail", { ...failure, level: "info" }),
    ],
  },
);

test("the text report has a line for each group and explains for each failure what to do next", () => {
  const text = reportText([results], { recordings: "recordings" });
  assert.ok(text.includes("base   ✓01 ✗02\nbp     ?01 ✗02 –03 ✗04\n"));
  assert.ok(
    text.includes(
      '✗ base-02 Title of base-02 (must; Response)\n    "Response for a request."\n    https://microsoft.github.io/debug-adapter-protocol/specification#Base_Protocol_Response\n    in the case steps, message 3, 2 times\n    expected: <b>\n    actual:   a | b & "c"\u0001\n    wirewright view recordings/steps.jsonl\n',
    ),
  );
  const several = reportText([results, results], { recordings: "recordings" });
  assert.ok(several.includes("    wirewright view recordings/one/steps.jsonl\n"));
  assert.ok(text.includes("    expected to fail: known\n"));
  assert.ok(
    text.endsWith(
      "Adapter 1.0: 1 passed, 2 failed, 0 inconclusive, 1 blocked, 1 not applicable\n    unexpected: base-02, bp-01 (blocked)\n",
    ),
  );
});

test("the text report of several adapters is a matrix of scores", () => {
  const [head, first, second] = reportText([results, results]).split("\n");
  assert.equal(head, "                base     bp");
  assert.equal(first, "Adapter 1.0      1/2    0/2");
  assert.equal(second, first);
});

test("failures are unexpected unless they are listed, and listed checks that pass are reported", () => {
  const { failed, stale } = unexpectedOf({
    ...results,
    expected: { "bp-02": "known", "base-01": "old" },
  });
  assert.deepEqual(
    failed.map((each) => each.check),
    ["base-02", "bp-01"],
  );
  assert.deepEqual(stale, ["base-01"]);
});

test("JUnit XML is well-formed, and its test count is correct", () => {
  const tags: string[] = [];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name }) => tags.push(name));
  parser.on("error", (error) => assert.fail(error.message));
  parser.write(reportJunit([results])).close();
  const count = (name: string): number => tags.filter((each) => each === name).length;
  assert.deepEqual(
    ["testsuite", "testcase", "failure", "error", "skipped"].map(count),
    [2, 6, 1, 1, 3],
  );
});

test("the markdown report escapes messages from adapters", () => {
  const text = reportMarkdown([results]);
  assert.ok(text.includes("| Messages | 1/2 |"));
  assert.ok(text.includes('| \\<b\\> | a \\| b & "c"\u0001 |'));
  const title = "`frame_entry` <b> or `a|b`";
  const [first] = results.checks;
  const quoted = { ...results, checks: [{ ...first!, status: "fail" as const, title }] };
  assert.ok(reportMarkdown([quoted]).includes("| `frame_entry` \\<b\\> or `a\\|b` (must) |"));
});

test("a verdict that differs between runs does not count, and both recordings are shown", () => {
  const doubtful = check("bp-01", "inconclusive", {
    case: "steps",
    text: "fail at first, then fail and pass when the case ran again alone",
    expected: "a stop",
    actual: "none",
    differsIn: 2,
  });
  const unsure = { ...results, checks: [doubtful], counts: countsOf([doubtful]) };
  const text = reportText([unsure], { recordings: "recordings" });
  assert.ok(text.includes("bp     ~01\n"));
  assert.ok(
    text.includes(
      "    fail at first, then fail and pass when the case ran again alone\n    expected: a stop\n    actual:   none\n    wirewright view recordings/steps.jsonl\n    wirewright view recordings/steps-again-2.jsonl\n",
    ),
  );
  assert.deepEqual(unexpectedOf({ ...unsure, expected: { "bp-01": "known" } }), {
    failed: [],
    stale: [],
  });
  assert.equal(
    (reportBadge(unsure) as { message: string }).message,
    `0/0, 1.0, ${unsure.run!.date}`,
  );
  const page = reportPages([unsure], (_, recording) => `${recording}.html`).get("one.html")!;
  assert.deepEqual(page.match(/steps[^"]*\.html/g), [
    "steps.jsonl.html",
    "steps-again-2.jsonl.html",
  ]);
});

test("published results keep their verdicts and take today's texts, and the page says which are outdated", () => {
  const [first, second] = checks;
  const { id, title, level, stated, sentence } = first!;
  const made = { check: id, title, level, stated, sentence, status: "fail" as const };
  const old = { ...made, level: "must" as const, stated: "elsewhere" };
  const gone = { ...made, check: "gone-01" };
  const { checks: today } = inTodaysTerms({ ...results, checks: [old, gone] }, [first!, second!]);
  assert.deepEqual(today, [made]);
  const isOld = (list: readonly CheckResult[], run: AdapterResults["run"] = results.run): boolean =>
    isOutdated({ ...results, checks: list, run }, [first!]);
  assert.deepEqual([isOld([made, gone]), isOld([old]), isOld([])], [false, true, true]);
  assert.ok(isOutdated({ ...results, checks: [made], run: undefined }, [first!]));
});

test("results say which verdicts were different before, and the page lists them", () => {
  const [first, second] = checks;
  const of = (version: string, verdicts: readonly CheckResult[]): AdapterResults => ({
    ...results,
    adapter: { ...results.adapter, version },
    run: { suite: "0.1.0", date: `2026-11-0${version}`, platform: "linux x64, Node 22.1.0" },
    checks: verdicts,
  });
  const before = of("1", [
    check(first!.id, "fail", failure),
    check(second!.id, "pass"),
    check("old-01", "pass"),
  ]);
  const after = of("2", [
    check(first!.id, "pass"),
    check(second!.id, "pass"),
    check("new-01", "pass"),
  ]);
  const dated = withEarlier(after, before);
  assert.deepEqual(dated.earlier, {
    version: "1",
    date: "2026-11-01",
    verdicts: { [first!.id]: "fail" },
  });
  const causes = { sources: {}, causes: {} };
  const line = `- Adapter 2, since version 1 on 2026-11-01: \`${first!.id}\` failed → passed\n`;
  assert.ok(printConformancePage([dated], [], causes).includes(line));
  for (const same of [after, withEarlier(after, after)])
    assert.ok(!printConformancePage([same], [], causes).includes("Changes since"));
});

test("a badge shows the score for the applicable checks, the adapter's version and the date", () => {
  const run = { suite: "0.1.0", date: "2026-11-28", platform: "linux x64, Node 22.1.0" };
  const badge = { schemaVersion: 1, label: "DAP conformance", color: "red" };
  assert.deepEqual(reportBadge({ ...results, run }), {
    ...badge,
    message: "1/4, 1.0, 2026-11-28",
  });
  const { version: _, ...adapter } = results.adapter;
  assert.deepEqual(reportBadge({ ...results, adapter, run: undefined }), {
    ...badge,
    message: "1/4",
  });
});

test("pages say what their marks mean, and when the adapter was tested", () => {
  const run = { suite: "0.1.0", date: "2026-11-28", platform: "linux x64, Node 22.1.0" };
  const pages = reportPages([{ ...results, run }], () => undefined);
  assert.ok(
    pages
      .get("index.html")!
      .includes("<p>✓ passed · ✗ failed · ~ inconclusive · ? blocked · – not applicable</p>"),
  );
  assert.ok(
    pages
      .get("one.html")!
      .includes("<li>tested 2026-11-28, suite 0.1.0, linux x64, Node 22.1.0</li>"),
  );
});

test("pages load no resources and escape messages from adapters", () => {
  const pages = reportPages([results], () => "recordings/one.html");
  assert.deepEqual([...pages.keys()], ["index.html", "one.html"]);
  for (const text of pages.values()) {
    assert.ok(!/<(?:link|img|iframe)|src=/.test(text));
    assert.ok(!text.includes("<b>"));
  }
  assert.ok(pages.get("one.html")!.includes('<details id="base-02" class="fail"'));
  assert.ok(pages.get("one.html")!.includes('<a href="recordings/one.html">'));
});

test("published results match their schema", () => {
  const read = (path: string): unknown => readJson(path);
  const validate = new Ajv({ strict: true }).compile(
    read("schema/formats/conformance-results.schema.json") as object,
  );
  const files = ["adapters", "clients"].flatMap((folder) =>
    readdirSync(fromRoot(`conformance/results/${folder}`)).map((name) =>
      join("conformance/results", folder, name),
    ),
  );
  assert.ok(files.length >= 12, `${files.length} files`);
  for (const file of files)
    assert.ok(validate(read(file)), `${file}: ${JSON.stringify(validate.errors)}`);
  assert.ok(validate(JSON.parse(JSON.stringify(results))), JSON.stringify(validate.errors));
  assert.ok(!validate({ ...results, reportVersion: 2 }));
});

test("each failure in the published results has exactly one cause and a line in the adapter's source", () => {
  const read = (path: string): unknown => readJson(path);
  const folder = "conformance/results/adapters";
  const all = readdirSync(fromRoot(folder)).map(
    (name) => read(`${folder}/${name}`) as AdapterResults,
  );
  const { sources, causes } = read("conformance/adapters/failures.json") as Causes;
  const named = Object.entries(causes).flatMap(([check, each]) =>
    Object.values(each).flatMap((lines) => Object.keys(lines).map((name) => `${check} ${name}`)),
  );
  assert.deepEqual([...new Set(named)], named);
  const failures = all.flatMap((each) =>
    failedChecks([each]).map((check) => `${check} ${each.adapter.name}`),
  );
  assert.deepEqual(
    failures.filter((failure) => !named.includes(failure)),
    [],
  );
  // Failures that occur only in some runs. Their causes begin with "In some runs".
  const sometimes = Object.entries(causes).flatMap(([check, each]) =>
    Object.entries(each).flatMap(([cause, lines]) =>
      cause.startsWith("In some runs") ? Object.keys(lines).map((name) => `${check} ${name}`) : [],
    ),
  );
  assert.deepEqual(
    named.filter((each) => !failures.includes(each) && !sometimes.includes(each)),
    [],
  );
  const lines = Object.values(causes).flatMap((each) => Object.values(each));
  for (const [name, line] of lines.flatMap(Object.entries<string>))
    assert.match(line, /^[\w./-]+#L[1-9]\d*$/, name);
  // The lines belong to the version that was tested.
  const tags = all.map(({ adapter: { name, version } }) => [
    name,
    new RegExp(`/blob/[^/]*\\b[vV]?${version!.replaceAll(".", "\\.")}/`).test(sources[name]!),
  ]);
  assert.deepEqual(
    tags,
    Object.keys(sources)
      .sort()
      .map((name) => [name, true]),
  );
});

test("each language provides every program or gives a reason for leaving it out", () => {
  for (const [name, { extension, like, without = {} }] of languages())
    for (const program of Object.keys(marks) as ProgramName[]) {
      const path = `conformance/fixtures/${like ?? name}/${program}.${extension}`;
      const [exists, isLeftOut] = [existsSync(fromRoot(path)), without[program] !== undefined];
      // A language that reuses another language's programs may leave some of them out.
      const isFine = like === undefined ? exists !== isLeftOut : exists || isLeftOut;
      assert.ok(isFine, `${name}: ${program}`);
    }
});

test("a stream without messages is reported as noise", async () => {
  const wire = { chunks: [Buffer.from("Loading…\n")], trace: [] };
  const [entry, ...rest] = entriesOf(wire, await openProtocol("dap"));
  assert.deepEqual(rest, []);
  assert.deepEqual(entry, { from: "adapter", fault: { code: "ERR_NOISE", message: "Loading…\n" } });
});

test("noise between messages is reported with its text", async () => {
  const event = JSON.stringify({ seq: 1, type: "event", event: "initialized" });
  const bytes = Buffer.concat([framed(event), Buffer.from('Loading "x"…\n')]);
  const entries = entriesOf({ chunks: [bytes], trace: [] }, await openProtocol("dap"));
  assert.deepEqual(
    entries.flatMap(({ fault }) => fault?.message ?? []),
    ['Skipped 15 bytes that do not belong to a message: "Loading \\"x\\"…\\n"'],
  );
});

test(
  "axe finds no problems on the pages in either colour scheme",
  { skip: skipWithoutBrowser },
  () =>
    withFolder(async (folder) => {
      writeFiles(
        folder,
        reportPages([results], () => undefined),
      );
      const axe = readFileSync(fromRoot("node_modules/axe-core/axe.min.js"), "utf8");
      for (const name of ["index.html", "one.html"])
        await withPage(pathToFileURL(join(folder, name)).href, async (evaluate, send) => {
          for (const scheme of ["light", "dark"] as const) {
            await setView(send, { width: 400, height: 900, scheme });
            await evaluate(axe);
            const found = await evaluate(
              "axe.run().then(({ violations }) => violations.map(({ id }) => id))",
            );
            assert.deepEqual(found, [], `${name}, ${scheme}`);
            const wide =
              "document.documentElement.scrollWidth > document.documentElement.clientWidth";
            assert.equal(await evaluate(wide), false, name);
          }
        });
    }),
);
