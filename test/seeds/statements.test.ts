/**
 * The statements in the documents that the protocols come from. Each has an example that obeys it
 * and one that breaks it, or a reason why there is none.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { openProtocol } from "../../cli/index.js";
import { checks } from "../../conformance/checks.js";
import { readHost } from "../../sessions/judge/host-table.js";
import { examplesIn, readExamplePage } from "../../sessions/judge/rule-examples.js";
import { fromRoot } from "../support/paths.js";
import { mutants } from "../support/reference/mutants.js";
import {
  type Evidence,
  type EvidenceKind,
  type SeedJudge,
  type SeedPage,
  type SeedStatement,
  readExample,
  readSeedPage,
  rulesBrokenBy,
} from "../support/seed-pages.js";

/** The pages in `test/seeds`, each with its protocol and the version that the document is about. */
const seeds: readonly (readonly [seed: string, protocol: string, version?: string])[] = [
  ["000-debug-protocol", "dap", "1.40.0"],
  ["001-visual-studio", "dap"],
  ["002-sqltools", "sqltools"],
  ["003-ruby-debug-ide", "ruby-debug-ide"],
  ["004-acp-breakpoints", "acp-breakpoints"],
];
const pages = new Map<string, SeedPage>(seeds.map(([seed]) => [seed, readSeedPage(seed)]));
const read = (path: string): string => readFileSync(fromRoot(path), "utf8");

for (const [seed, name, version] of seeds) {
  const { statements, shorthands } = pages.get(seed)!;
  const protocol = await openProtocol(name, version === undefined ? {} : { version });
  const host = seed === "001-visual-studio" ? await readHost("visual-studio", name) : undefined;
  const judge: SeedJudge = { protocol, host, shorthands };
  const ruleExamples = new Set(examplesIn(readExamplePage(name)!).map(({ rule }) => rule));

  test(`${seed}: the examples obey and break their statements`, async () => {
    const faults: string[] = [];
    for (const statement of statements)
      for (const fault of await faultsOf(statement, name, judge, ruleExamples))
        faults.push(`${statement.place}: ${statement.says} ${fault}`);
    assert.deepEqual(faults, []);
  });

  test(`${seed}: each statement has both examples, or a reason why there is none`, () => {
    const incomplete = statements.filter(({ evidence }) => !isComplete(evidence));
    assert.deepEqual(incomplete, []);
  });

  test(`${seed}: no statement is made twice`, () => {
    const keys = statements.map(({ place, says }) => `${place}: ${says}`);
    assert.deepEqual(
      keys.filter((each, index) => keys.indexOf(each) !== index),
      [],
    );
  });
}

test("a page contains every block of examples", () => {
  for (const [seed] of seeds)
    assert.equal(
      read(`test/seeds/${seed}.md`).split("```examples").length - 1,
      pages.get(seed)!.statements.length,
    );
});

test("the README gives the number of statements by state", () => {
  const readme = read("README.md");
  for (const [seed, { statements }] of pages) {
    const works = statements.filter(({ evidence }) => !has(evidence, "none")).length;
    const row = `${works} work, ${statements.length - works} cannot be expressed`;
    assert.ok(readme.includes(row), `${seed}: ${row}`);
  }
});

const has = (evidence: readonly Evidence[], ...kinds: readonly EvidenceKind[]): boolean =>
  evidence.some(({ kind }) => kinds.includes(kind));

/** Returns whether there are sessions that obey and break a statement, or a reason why not. */
function isComplete(evidence: readonly Evidence[]): boolean {
  if (has(evidence, "none")) return evidence.length === 1;
  if (has(evidence, "rule") || (has(evidence, "+") && has(evidence, "-"))) return true;
  return has(evidence, "only") && has(evidence, "+", "test", "check", "both");
}

/** Returns what is wrong with a statement's examples. */
async function faultsOf(
  { evidence }: SeedStatement,
  name: string,
  given: SeedJudge,
  ruleExamples: ReadonlySet<string>,
): Promise<readonly string[]> {
  const faults: string[] = [];
  let judge = given;
  let dialect: string | undefined;
  let last: object | undefined;
  for (const { kind, rule, text } of evidence) {
    switch (kind) {
      case "version":
        judge = { ...given, protocol: await openProtocol(name, { version: text }) };
        break;
      case "dialect":
        dialect = text;
        break;
      case "+":
      case "-": {
        const entries = readExample(text, judge, dialect);
        const expected = kind === "+" ? "" : rule.split(",").sort().join();
        const found = [...rulesBrokenBy(entries, judge)].sort().join();
        if (found !== expected) faults.push(`${text}: finds "${found}", not "${expected}"`);
        last = entries.at(-1)?.message;
        break;
      }
      case "=":
        if (JSON.stringify(last) !== JSON.stringify(JSON.parse(text)))
          faults.push(`is read as ${JSON.stringify(last)}, not ${text}`);
        break;
      case "rule":
        if (!ruleExamples.has(text)) faults.push(`${text}: has no sessions`);
        break;
      case "check":
        if (!checks.some(({ id }) => id === text)) faults.push(`${text}: there is no such check`);
        if (!mutants.some((each) => each.check === text)) faults.push(`${text}: nothing fails it`);
        break;
      case "both":
      case "test": {
        const [path = "", title = ""] = text.split(" › ");
        if (!existsSync(fromRoot(path)) || !hasTitle(read(path), title))
          faults.push(`${text}: there is no such test`);
        break;
      }
      case "only":
      case "none":
        if (!text.includes(" ")) faults.push(`${text}: is not a reason`);
        break;
      default:
        faults.push(`${String(kind)}: is not a kind of evidence`);
    }
  }
  return faults;
}

/** Returns whether a test title or a case heading contains these words, of which there are two or more. */
function hasTitle(source: string, words: string): boolean {
  const titles = [...source.matchAll(/\btest\(\s*(["`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(
    ([, , title]) => title!,
  );
  const headings = [...source.matchAll(/^#{2,} (.*)$/gm)].map(([, heading]) => heading!);
  return words.includes(" ") && [...titles, ...headings].some((each) => each.includes(words));
}
