import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fromRoot } from "../../tools/shared/paths.js";

/** Words that names of the API do not contain, each with the word to use. */
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

/** Names with such a word that mean something else, by report, declaration and name. */
const meantOtherwise: readonly (readonly [reason: string, names: RegExp])[] = [
  [
    "file paths",
    /^(adapter Positions|connection PathMapper\w*|testing (ExpectedStop|GoldenOptions|TestBreakpoint)|session (FrameSnapshot|SessionOptions)|wirewright (DerivedFile|Staleness|readConfigurations))\b.*[pP]ath|^(adapter ClientPositions) path/,
  ],
  [
    "contents of files, streams and messages",
    /^(connection MessageLink|session ProgramOutput|testing GoldenRecorder|wirewright (CodeExample|CommentedFile|ConversationTable|DerivedFile|Element\w+|readJsonText)) (text|onText|readJsonText)$| ([fF]etchText|isText|errorText|textOf)$/,
  ],
  ["numbers from 1", /StartAt1$/],
  ["locations of a program", / assertStoppedAt$/],
  ["addresses in a model, such as StackFrame.line", /^wirewright (Acceptance|Finding|ReusedName|Since) at$/],
  ["a place in a message, with the name of the message", /^wirewright Finding path$/],
  ["keys that distinguish items", /^wirewright (ListKeys|MemberTable|SettledRule) (by|replacedBy)$|ByName$|unstatedBy$/],
  ["a condition of a type in the model", /^wirewright Check(ed)? /],
  ["the file format that a file is compared with", /^wirewright check(Format)? /],
  ["a change of state, as a rule describes it", /^wirewright StateChange /],
  ["a property of a request, in a rule", /^wirewright RuleTable parameter$/],
  ["a host that is asked about a session", /^adapter HostCheck /],
  ["the function `params` of a schema reader, named as in the schemas that it reads", /^wirewright ReadEvent params$/],
];

/** Reports whose names are ours; the others repeat the names of a protocol. */
const reports = ["adapter", "connection", "node", "session", "testing"].map(
  (entry) => [entry, `dap/${entry}.txt`] as const,
);

/** Each declaration, member and parameter of a report, as `REPORT DECLARATION NAME`. */
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

test("names of the API use one word for each idea", () => {
  const names = [...reports, ["wirewright", "wirewright.txt"] as const].flatMap(([name, file]) =>
    namesIn(name, readFileSync(fromRoot(`test/golden/api/${file}`), "utf8")),
  );
  assert.ok(names.length > 1_000);
  assert.deepEqual(complaintsAbout(names), []);
  const unused = meantOtherwise.filter(([, each]) => !names.some((name) => each.test(name)));
  assert.deepEqual(unused, []);
});

test("a name with another word is found, in a type, a member and a parameter", () => {
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
