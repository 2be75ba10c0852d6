import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fromRoot, readJson } from "../support/paths.js";

/** Words that API names must not contain, each with the word to use instead. */
const replaced: Readonly<Record<string, string>> = {
  settings: "options",
  params: "arguments",
  parameter: "arguments",
  flag: "capability",
  flags: "capabilities",
  level: "severity",
  levels: "severities",
  habit: "quirk",
  change: "message",
  text: "message",
  path: "pointer",
  at: "pointer",
  by: "side",
  check: "validate",
};

/**
 * Names in which one of these words has another meaning, as patterns of the form
 * `REPORT DECLARATION NAME`.
 */
const meantOtherwise: readonly (readonly [reason: string, names: RegExp])[] = [
  [
    "file paths",
    /^(adapter Positions|connection PathMapper\w*|testing (ExpectedStop|GoldenOptions|TestBreakpoint)|session (FrameSnapshot|SessionOptions)|wirewright (DerivedFile|Staleness|readConfigurations))\b.*[pP]ath|^(adapter ClientPositions) path/,
  ],
  [
    "contents of files, streams and messages",
    /^(\S*connection MessageLink|session ProgramOutput|testing GoldenRecorder|wirewright (CodeExample|CommentedFile|ConversationTable|DerivedFile|Element\w+|readJsonText)) (text|onText|readJsonText)$| ([fF]etchText|isText|errorText|textOf)$/,
  ],
  ["numbers from 1", /StartAt1$/],
  ["locations in a program", / assertStoppedAt$/],
  ["addresses in a model, such as StackFrame.line", /^wirewright (Acceptance|Finding|ReusedName|Since) at$/],
  ["a place in a message, with the message's name", /^wirewright Finding path$/],
  ["keys that distinguish items", /^wirewright (ListKeys|MemberTable|SettledRule|ChangeRule|OrderRule) (by|replacedBy)$|ByName$|unstatedBy$/],
  ["a condition on a type in the model", /^wirewright Check(ed)? /],
  ["the file format that a file is compared with", /^wirewright check(Format)? /],
  ["a state change, as described by a rule", /^wirewright (StateChange|ChangeRule) /],
  ["a parameter or a part of it, as compared by a rule", /^wirewright ParameterTest /],
  ["how strictly messages are checked", /^\S+ (MessageCheck|\w+ check(Incoming|Outgoing))/],
  ["a host that a session is judged for", /^adapter HostCheck /],
  ["a sentence in a protocol message", /^\S+ (ConversationTable|ResponseArmTable) (text|errorText)$/],
  ["a text in a stream without ids", /^ruby-debug-ide\/\S+ (LaneClientOptions textSilenceMs|CommandAnswers isText)$/],
];

/** Reports that contain only our own names. The other reports repeat a protocol's names. */
const reports = ["adapter", "connection", "node", "session", "testing"].map(
  (entry) => [entry, `dap/${entry}.txt`] as const,
);

/** Lists each declaration, member and parameter in a report as `REPORT DECLARATION NAME`. */
function namesIn(report: string, text: string): readonly string[] {
  let declaration = "";
  return text.split("\n").flatMap((line) => {
    const [, declared] =
      /^export (?:declare )?(?:abstract )?(?:type|interface|class|function|const) (\w+)/.exec(
        line,
      ) ?? [];
    declaration = declared ?? declaration;
    const members = [...line.matchAll(/(\w+)\??(?:: |\(|<)/g)].map(([, name]) => name!);
    return [...new Set([declaration, ...members])].map((name) => `${report} ${declaration} ${name}`);
  });
}

const wordsOf = (name: string): readonly string[] =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());

const complaintsAbout = (names: readonly string[]): readonly string[] =>
  [...new Set(names)].flatMap((name) => {
    const own = name.split(" ")[2]!;
    const word = wordsOf(own).find((each) => Object.hasOwn(replaced, each));
    if (word === undefined || meantOtherwise.some(([, names]) => names.test(name))) return [];
    return [`${name}: "${word}" is called "${replaced[word]!}"`];
  });

/** Lists the properties in the JSON Schemas for files and reports as `FILE DEFINITION NAME`. */
function schemaNames(file: string): readonly string[] {
  const names: string[] = [];
  const visit = (value: unknown, definition: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const isList = key === "definitions" || key === "properties";
      for (const [name, each] of isList ? Object.entries(inner as object) : []) {
        names.push(`${file} ${key === "definitions" ? name : definition} ${name}`);
        visit(each, key === "definitions" ? name : definition);
      }
      if (!isList) visit(inner, definition);
    }
  };
  visit(readJson(`schema/formats/${file}.schema.json`), "file");
  return names;
}

/** File properties in whose names one of the avoided words has another meaning. */
const schemaMeanings: readonly (readonly [reason: string, names: RegExp])[] = [
  ["an address in a model, such as StackFrame.line", /^(accept|diff-report) \S+ at$/],
  ["a place in a message, with the message's name", /^diff-report finding path$/],
  ["a paragraph of advice, a task, or code", /^diff-report \S+ text$/],
  ["the version that does not state a fact", /^diff-report \S+ unstatedBy$/],
  ["a suite check, how binding it is, and its description", /^conformance-results file (check|level|text)$/],
  ["a text in a message or an element", /^(model|protocol) \S+ (text|errorText|isText)$/],
  ["a condition on a type in the model", /^model Check Check$/],
  ["how messages are found", /^protocol \w+ (messagesBy\w+|by)$/],
  ["a table column, which may contain the protocol's own word", /^protocol (request|event)Table params$/],
  ["keys that distinguish items", /^session-rules \S+ (by|replacedBy)$/],
  ["a state change", /^session-rules stateChange stateChange$/],
];

test("properties of files and reports use one word for each concept", () => {
  const names = readdirSync(fromRoot("schema/formats")).flatMap((file) =>
    schemaNames(file.slice(0, -".schema.json".length)),
  );
  assert.ok(names.length > 500, `${names.length} names`);
  const isMeant = (name: string): boolean => schemaMeanings.some(([, each]) => each.test(name));
  assert.deepEqual(complaintsAbout(names.filter((name) => !isMeant(name))), []);
  const unused = schemaMeanings.filter(([, each]) => !names.some((name) => each.test(name)));
  assert.deepEqual(unused, []);
});

test("API names use one word for each concept", () => {
  const all = [...reports, ["wirewright", "wirewright.txt"] as const].flatMap(([name, file]) =>
    namesIn(name, readFileSync(fromRoot(`test/golden/api/${file}`), "utf8")),
  );
  // Check only these entry points. The others repeat the protocol's types, with the protocol's own
  // names.
  const others = ["acp-breakpoints", "ruby-debug-ide", "sqltools"].flatMap((name) =>
    readdirSync(fromRoot(`test/golden/api/${name}`))
      .map((file) => file.slice(0, -".txt".length))
      .filter((entry) => ["connection", "node", "dialects"].includes(entry))
      .flatMap((entry) => {
        const report = readFileSync(fromRoot(`test/golden/api/${name}/${entry}.txt`), "utf8");
        return namesIn(`${name}/${entry}`, report.split("// Not exported\n")[0]!);
      }),
  );
  const names = [...all, ...others];
  assert.ok(names.length > 1_000);
  assert.deepEqual(complaintsAbout(names), []);
  const unused = meantOtherwise.filter(([, each]) => !names.some((name) => each.test(name)));
  assert.deepEqual(unused, []);
});

test("the check finds wrong words in the names of types, members and parameters", () => {
  const text = `export interface ThingSettings {
    readonly level: string;
    run(flag: string): void;
}`;
  assert.deepEqual(complaintsAbout(namesIn("x", text)), [
    'x ThingSettings ThingSettings: "settings" is called "options"',
    'x ThingSettings level: "level" is called "severity"',
    'x ThingSettings flag: "flag" is called "capability"',
  ]);
});
