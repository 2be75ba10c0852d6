/**
 * The statements in the documents that the protocols come from. Each table row has a test that
 * demonstrates the statement, or the reason no program can.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { checks } from "../../conformance/checks.js";
import { openProtocol, type OpenProtocol } from "../../cli/index.js";
import { LintSession } from "../../sessions/judge/lint-session.js";
import type { Gate } from "../../generator/model/types.js";
import { flattenProperties } from "../../generator/model/properties.js";
import { definitionsByName } from "../../generator/model/queries.js";
import { readHost } from "../../sessions/judge/host-table.js";
import { lintRules } from "../../sessions/judge/rules.js";
import type { RecordedEntry } from "../../sessions/read/recording.js";
import { fromRoot } from "../support/paths.js";
import { writtenMessages } from "../support/written-messages.js";

/** A statement that a program can obey or violate. */
interface Statement {
  readonly place: string;
  readonly says: string;
  /** The state: `works`, or `cannot be expressed: ` followed by the reason. */
  readonly state: string;
  /** The evidence, in the form described in `test/seeds/README.md`. */
  readonly tests: readonly string[];
}

interface SeedTable {
  readonly seed: string;
  readonly protocol: string;
  readonly statements: readonly Statement[];
}

/** The tables in `test/seeds`, each with its protocol. */
const seedTables: readonly SeedTable[] = [
  ["000-debug-protocol", "dap@1.40.0"],
  ["001-visual-studio", "dap"],
  ["002-sqltools", "sqltools"],
  ["003-ruby-debug-ide", "ruby-debug-ide"],
  ["004-acp-breakpoints", "acp-breakpoints"],
].map(([seed = "", protocol = ""]) => ({ seed, protocol, statements: statementsIn(seed) }));

function statementsIn(seed: string): readonly Statement[] {
  const page = readFileSync(fromRoot(`test/seeds/${seed}.md`), "utf8");
  return page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (place|-+) /.test(line))
    .map((line) => {
      const [place = "", says = "", state = "", tests = ""] = line
        .slice(2, -2)
        .split(/ +\| +/)
        .map((cell) => cell.trim().replaceAll("\\|", "|"));
      return { place, says, state, tests: tests === "" ? [] : tests.split(" · ") };
    });
}

const read = (path: string): string => readFileSync(fromRoot(path), "utf8");

/** Pages with rule cases, which other tests run. */
const cases: Readonly<Record<string, string>> = {
  "000": read("schema/dap/rule-examples.md"),
  "002": read("schema/sqltools/rule-examples.md"),
  "003": read("schema/ruby-debug-ide/rule-examples.md"),
  "004": read("schema/acp-breakpoints/rule-examples.md"),
};

const newest = await openProtocol("dap");
const host = await readHost("visual-studio", "dap");

for (const { seed, protocol: name, statements } of seedTables) {
  const protocol = await openProtocol(name);
  const number = seed.slice(0, 3);

  test(`${seed}: each statement has a test, or the reason none can demonstrate it`, () => {
    const faults = statements.flatMap((statement) => faultsOf(statement, number, protocol));
    assert.deepEqual(faults, []);
  });

  test(`${seed}: no statement is made twice`, () => {
    const keys = statements.map(({ place, says }) => `${place}: ${says}`);
    assert.deepEqual(
      keys.filter((each, index) => keys.indexOf(each) !== index),
      [],
    );
  });
}

test("there are no fewer statements than were counted", () => {
  const count = seedTables.reduce((sum, { statements }) => sum + statements.length, 0);
  assert.ok(count >= 298, String(count));
});

test("the README gives the number of statements by state", () => {
  const readme = read("README.md");
  for (const { seed, statements } of seedTables) {
    const works = statements.filter(({ state }) => state === "works").length;
    const row = `${works} work, ${statements.length - works} cannot be expressed`;
    assert.ok(readme.includes(row), `${seed}: ${row}`);
  }
});

function faultsOf(
  { place, says, state, tests }: Statement,
  seed: string,
  protocol: OpenProtocol,
): readonly string[] {
  const at = `${place}: ${says}`;
  if (/^cannot be expressed: \S/.test(state)) return tests.length === 0 ? [] : [`${at} has a test`];
  if (state !== "works") return [`${at} is "${state}"`];
  if (tests.length === 0) return [`${at} has no test`];
  return tests.flatMap((each) => {
    const fault = faultOf(each, seed, protocol);
    return fault === undefined ? [] : [`${at} ${each}: ${fault}`];
  });
}

/** Returns what is wrong with a statement's test. */
function faultOf(shown: string, seed: string, protocol: OpenProtocol): string | undefined {
  const [, kind = "", first = "", second = ""] =
    /^(\w+) `([^`]+)`(?:(?: as| ›| in)? `?([^`]+)`?)?$/.exec(shown) ?? [];
  switch (kind) {
    case "accepts":
      return issuesOf(first, protocol).length === 0 ? undefined : "it is refused";
    case "refuses":
      return issuesOf(first, second === "" ? protocol : newest).length > 0
        ? undefined
        : "it is accepted";
    case "reads": {
      const messages = writtenMessages(first, protocol).map(({ message }) => message);
      const wanted = [JSON.parse(second) as unknown];
      try {
        assert.deepEqual(messages, wanted);
        return undefined;
      } catch {
        return `it is read as ${JSON.stringify(messages)}`;
      }
    }
    case "rule":
      return cases[seed]!.includes(`### \`${first}\`\n`) || isTested(first)
        ? undefined
        : "it has no sessions";
    case "finds":
      return findingsOf(second, protocol, seed).includes(first) ? undefined : "it is not found";
    case "passes":
      return findingsOf(second, protocol, seed).includes(first) ? "it is found" : undefined;
    case "check":
      return checks.some(({ id }) => id === first) ? undefined : "there is no such check";
    case "gate":
      return gateOf(first, protocol) === second ? undefined : `it needs ${gateOf(first, protocol)}`;
    case "message": {
      const [messageKind, ...words] = first.split(" ");
      const found = protocol.messages.find(
        (each) => each.kind === messageKind && each.name === words.join(" "),
      );
      return found?.sender === second ? undefined : `${found?.sender} sends it`;
    }
    case "test":
      return existsSync(fromRoot(first)) && hasTitle(read(first), second)
        ? undefined
        : "there is no such test";
    default:
      return "it is not a test";
  }
}

/** Returns whether a rule that applies to every protocol has a session in the rules test. */
function isTested(rule: string): boolean {
  const expected = read("test/sessions/judge/rules.test.ts");
  return lintRules.has(rule) && (expected.includes(`"${rule}"`) || expected.includes(`"${rule} #`));
}

/**
 * Returns whether a test title or a case heading contains these words. A single word would occur in
 * too many of them.
 */
function hasTitle(source: string, words: string): boolean {
  const titles = [...source.matchAll(/\btest\(\s*(["`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(
    ([, , title]) => title!,
  );
  const headings = [...source.matchAll(/^#{2,} (.*)$/gm)].map(([, heading]) => heading!);
  return words.includes(" ") && [...titles, ...headings].some((each) => each.includes(words));
}

function gateOf(name: string, protocol: OpenProtocol): string | undefined {
  const [definition = "", property] = name.split("/");
  const text = (gate: Gate | undefined): string | undefined =>
    gate === undefined ? undefined : `${gate.role}.${gate.capability}`;
  if (property === undefined)
    return text(
      ((message) => message?.gate ?? message?.senderGate)(
        protocol.messages.find((each) => each.name === name),
      ),
    );
  const definitions = definitionsByName(protocol);
  const type = definitions.get(definition)?.type;
  return type?.kind === "object"
    ? text(flattenProperties(definitions, type).find((each) => each.name === property)?.gate)
    : undefined;
}

/**
 * Returns the schema's issues with the last message on a line: one message as JSON, or messages in
 * the notation of test/support/written-messages.ts.
 */
function issuesOf(line: string, protocol: OpenProtocol): readonly string[] {
  const entries = line.startsWith("{")
    ? [{ from: protocol.roles[1], message: JSON.parse(line) as object }]
    : writtenWithRequest(line, protocol);
  const found: string[] = [];
  const session = new LintSession(protocol, {
    onFinding: ({ rule, index }) => {
      const isOfSchema = rule === "schema.issue" || rule === "message.kind" || isRequired(rule);
      if (index === entries.length && isOfSchema) found.push(rule);
    },
  });
  for (const entry of entries) session.push(entry);
  return found;
}

/**
 * Returns the rules that have findings in a session, including the host's rules. The session's
 * lines are separated by two semicolons.
 */
function findingsOf(lines: string, protocol: OpenProtocol, seed: string): readonly string[] {
  const found: string[] = [];
  const session = new LintSession(protocol, {
    ...(seed === "001" ? { host } : {}),
    isFromStart: true,
    onFinding: ({ rule }) => found.push(rule),
  });
  const entries = lines.startsWith("{")
    ? [{ from: protocol.roles[1], message: JSON.parse(lines) as object }]
    : writtenMessages(lines.replaceAll(" ;; ", "\n"), protocol);
  for (const entry of entries) session.push(entry);
  session.end();
  return found;
}

/** The strict profile refuses deviations that tolerant readers accept. */
function isRequired(rule: string): boolean {
  return rule === "schema.deviation";
}

function writtenWithRequest(line: string, protocol: OpenProtocol): readonly RecordedEntry[] {
  const [, mark = "", name = ""] = /^(\S+) (\S+)/.exec(line) ?? [];
  const asking = { "<": ">", x: ">", ">>": "<?", ">x": "<?" }[mark];
  const text = asking === undefined || protocol.lanes !== undefined ? "" : `${asking} ${name}\n`;
  return writtenMessages(text + line, protocol);
}
