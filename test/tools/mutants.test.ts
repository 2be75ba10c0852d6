import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { areas, chooseFiles } from "../../tools/mutants/areas.js";
import { CoverageCache } from "../../tools/mutants/coverage-cache.js";
import type { FileCoverage } from "../../tools/mutants/coverage.js";
import { keyOf, readEquivalentMutants } from "../../tools/mutants/equivalent.js";
import { sampleMutants, touchedLines, type Mutant } from "../../tools/mutants/mutant.js";
import { exitStatusOf, formatMutant, scoreRows } from "../../tools/mutants/report.js";
import { runMutants } from "../../tools/mutants/run-mutants.js";
import { excluded } from "../../tools/mutants/test-files.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { fromRoot, skipWithoutPeer } from "../support/paths.js";

const planted = {
  "package.json": '{ "type": "module" }\n',
  "runtime/planted.ts": `export function isAdult(age: number): boolean {
  return age >= 18;
}

export function neverCalled(): void {
  throw new Error();
}

export function countDown(from: number): number {
  while (from > 0) from--;
  return from;
}

export const name: string = "planted";
`,
  "build/runtime/planted.js": "// Replaced by what the source becomes.\n",
  "build/test/age.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { countDown, isAdult } from "../runtime/planted.js";

test("people of 20 are adults, of 10 are none", () => {
  assert.deepEqual([isAdult(20), isAdult(10)], [true, false]);
});
test("a test that fails", () => assert.equal(isAdult(18), false));
test("a slow test", async () => {
  assert.equal(isAdult(18), true);
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});
test("a test after the slow one", () => assert.equal(countDown(2), 0));
`,
  "build/test/child.test.js": `import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import "../runtime/planted.js";

const planted = new URL("../runtime/planted.js", import.meta.url);
const code = \`import { name } from "\${planted}"; console.log(name);\`;

test("the name is printed by another process", () => {
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code]);
  assert.equal(stdout.toString(), "planted\\n");
});
`,
  "build/test/other.test.js": "throw new Error('loads nothing that has mutants');\n",
  "build/test/generator/read/overlay.test.js": 'import "../../../runtime/planted.js";\n',
};

test(
  "mutants run against the tests that reach them",
  { skip: skipWithoutPeer("@stryker-mutator/instrumenter") },
  async () => {
    await withFolder(async (root) => {
      writeFiles(root, planted);
      const report = await runMutants({
        root,
        files: ["runtime/planted.ts"],
        equivalent: [
          { file: "runtime/planted.ts", before: "age > 18", after: "age", reason: "stale" },
          { file: "runtime/other.ts", before: "1", after: "2", reason: "of another file" },
          {
            file: "runtime/planted.ts",
            before: "while (from > 0) from--;",
            after: "while (from >= 0) from--;",
            reason: "taken as equivalent by the list",
          },
        ],
        limits: { testMs: 2000, fileMs: 30_000, mutantMs: 30_000, graceMs: 3000 },
        atOnce: 2,
      });
      assert.deepEqual(
        report.judgements.map(
          ({ mutant, verdict }) => `${mutant.line}: ${mutant.after}: ${verdict}`,
        ),
        [
          "1: export function isAdult(age: number): boolean {}: killed",
          "2: return true;: killed",
          "2: return false;: killed",
          "2: return age > 18;: survived",
          "2: return age < 18;: killed",
          "5: export function neverCalled(): void {}: not covered",
          "9: export function countDown(from: number): number {}: killed",
          "10: while (false) from--;: killed",
          "10: while (from <= 0) from--;: killed",
          "10: while (from > 0) from++;: timed out",
          '14: export const name: string = "";: killed',
        ],
      );
      assert.equal(report.equivalent, 1);
      assert.deepEqual(
        report.stale.map(({ reason }) => reason),
        ["stale"],
      );
      assert.deepEqual(report.leftOut, [
        "build/test/generator/read/overlay.test.js: compiles packages",
        'build/test/age.test.js: "a slow test" takes more than 2 s',
        'build/test/age.test.js: "a test that fails" fails without a mutant',
      ]);
      assert.deepEqual(scoreRows(report.judgements), [
        ["runtime/planted.ts", "8", "1", "1", "1", "81.8 %"],
        ["all", "8", "1", "1", "1", "81.8 %"],
      ]);
      assert.deepEqual(readdirSync(join(root, "build")).sort(), [
        "mutants-coverage",
        "runtime",
        "test",
      ]);
      const fresh = { judgements: report.judgements, stale: [] };
      assert.deepEqual(
        [exitStatusOf(fresh, 81), exitStatusOf(fresh, 82), exitStatusOf(report, 81)],
        [0, 1, 1],
      );
    });
  },
);

test("a mutant is identified by its code, not by its line numbers", () => {
  const source = "a;\n  if (b &&\n      c) {\n    d();\n  }\n";
  const touched = touchedLines(source, { line: 1, column: 6 }, { line: 2, column: 7 }, "true");
  assert.deepEqual(touched, { before: "if (b && c) {", after: "if (true) {" });
  const mutant = { id: "7", file: "x.ts", mutator: "ConditionalExpression", line: 2, ...touched };
  assert.equal(
    formatMutant(mutant, "survived"),
    "x.ts:2 ConditionalExpression, survived\n- if (b && c) {\n+ if (true) {",
  );
});

test("a seed always selects the same sample of mutants", () => {
  const mutants = Array.from({ length: 100 }, (_, at): Mutant => {
    return { id: `${at}`, file: "", mutator: "", line: at, before: "", after: "" };
  });
  const sample = sampleMutants(mutants, 10, 1);
  assert.equal(sample.length, 10);
  assert.deepEqual(sampleMutants(mutants, 10, 1), sample);
  assert.notDeepEqual(sampleMutants(mutants, 10, 2), sample);
  assert.deepEqual(sampleMutants(mutants, 1000, 1), mutants);
});

test("mutants can be selected by file, folder or area", () => {
  assert.deepEqual(
    chooseFiles(fromRoot(""), ["./runtime/frames/frame.ts", "runtime/frames/frame.ts"]),
    ["runtime/frames/frame.ts"],
  );
  const validation = chooseFiles(fromRoot(""), ["validation"]);
  assert.ok(validation.includes("runtime/validation/walk.ts"));
  assert.ok(validation.every((file) => chooseFiles(fromRoot(""), ["runtime/"]).includes(file)));
  assert.throws(() => chooseFiles(fromRoot(""), ["valdation"]), {
    message:
      'Cannot find "valdation": neither a file, a folder nor an area (decoders, bodies, encoders, connections, validation, diff, lint)',
  });
});

test("every pattern in an area and every excluded test matches a file", () => {
  const sources = chooseFiles(fromRoot(""), ["runtime", "diff/", "sessions/"]);
  const patterns = Object.entries(areas).flatMap(([area, starts]) =>
    starts.map((start) => ({ area, start })),
  );
  const isSource = (start: string): boolean =>
    sources.some((file) => file.startsWith(start.replace(/^!/, "")));
  assert.deepEqual(
    patterns.filter(({ start }) => !isSource(start)),
    [],
  );
  for (const area of Object.keys(areas))
    assert.notDeepEqual(chooseFiles(fromRoot(""), [area]), [], area);
  const isTest = (name: string): boolean => existsSync(fromRoot(`test/${name}.test.ts`));
  assert.deepEqual(
    [...excluded.keys()].filter((name) => !isTest(name)),
    [],
  );
});

test("the mutation test areas contain all diff and lint files except reports and rule texts", () => {
  const ofDiff = chooseFiles(fromRoot(""), ["diff"]);
  const ofLint = chooseFiles(fromRoot(""), ["lint"]);
  const all = chooseFiles(fromRoot(""), ["diff/", "sessions/judge", "sessions/read"]);
  const left = all.filter((file) => !ofDiff.includes(file) && !ofLint.includes(file));
  assert.ok(ofDiff.includes("diff/report/diff-report.ts"));
  assert.deepEqual(
    left.filter((file) => !/\/report(-\w+)*\.ts$/.test(file)),
    ["diff/compare/rules.ts"],
  );
});

test("every equivalent mutant is listed once, with a reason", () => {
  const entries = readEquivalentMutants(fromRoot("tools/mutants/equivalent.json"));
  assert.equal(new Set(entries.map(keyOf)).size, entries.length);
  for (const entry of entries) assert.notEqual(entry.reason, "", keyOf(entry));
});

test("a test file's coverage is reused until the file changes", () =>
  withFolder(async (root) => {
    const file = "build/a.test.js";
    mkdirSync(join(root, "build"));
    writeFileSync(join(root, file), "1;");
    const coverage: FileCoverage = {
      file,
      loadMs: 3,
      tests: new Map([
        ["one", { ms: 4, mutants: new Set(["5", "6"]) }],
        ["two", { ms: 7, mutants: new Set() }],
      ]),
      onLoad: new Set(["8"]),
      leftOut: [`${file}: why`],
    };
    let measured = 0;
    const get = (): Promise<FileCoverage> =>
      new CoverageCache(join(root, "kept"), root, { testMs: 1, fileMs: 2 }).get(file, () => {
        measured++;
        return Promise.resolve(coverage);
      });
    assert.deepEqual([await get(), await get(), measured], [coverage, coverage, 1]);
    writeFileSync(join(root, file), "2;");
    assert.deepEqual([await get(), measured], [coverage, 2]);
  }));
