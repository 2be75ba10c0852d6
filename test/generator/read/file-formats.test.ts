/**
 * Tests each file format that wirewright reads: there is a JSON Schema for it, a bad file is
 * refused with the location of the error, and the tool's own files match the schema.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readReasons } from "../../../conformance/command/option-values.js";
import { readProject } from "../../../conformance/run/adapter-entry.js";
import { readBaseline } from "../../../sessions/judge/batch/baseline.js";
import { readAcceptances } from "../../../cli/diff-command.js";
import { readProjectFile } from "../../../cli/project-file.js";
import { readProtocol } from "../../../cli/index.js";
import { readHost } from "../../../sessions/judge/host-table.js";
import { readSessionRules } from "../../../sessions/judge/session-rules.js";
import { readManifest } from "../../../generator/output/manifest.js";
import { check, type CheckedFile } from "../../../generator/read/description/check-file.js";
import { readJsonText } from "../../../generator/read/source/json-text.js";
import { readJsonInput } from "../../../generator/read/source/input-source.js";
import { readRecording } from "../../../sessions/read/recording.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { filesBelow, fromRoot } from "../../support/paths.js";
import { readOrRefusal, refusalOf } from "../../support/refusal.js";

interface Format {
  /** A bad file: its name, its content, and other files that the reader needs. */
  readonly file: string;
  readonly text: string;
  readonly others?: Readonly<Record<string, string>>;
  read(path: string, folder: string): unknown;
  readonly refusal: string;
  /** The repository's own files in this format. */
  readonly own: readonly string[];
}

const dap = await readProtocol("dap");
const root = (path: string): string => readFileSync(fromRoot(path), "utf8");
const ticker = {
  "protocol.json": root("test/fixtures/ticker/protocol.json"),
  "types.json": root("test/fixtures/ticker/types.json"),
};

const isExtension = (path: string): boolean => "extends" in (JSON.parse(root(path)) as object);
const descriptions = [
  ...filesBelow("schema", /\/protocol\.json$/),
  "test/fixtures/ticker/protocol.json",
];

/**
 * Formats of bundled files that the tool does not check when reading them. This test checks them
 * instead.
 */
const bundledOnly: readonly CheckedFile[] = ["statements", "framing-rules", "conformance-results"];

const formats: Readonly<Partial<Record<CheckedFile, Format>>> = {
  config: {
    file: "wirewright.config.json",
    text: '{ "packages": [{ "protocol": "dap", "out": "x", "versoin": "1.70.0" }] }',
    read: readProjectFile,
    refusal:
      'wirewright.config.json:1:60 /packages/0/versoin: Cannot use the unknown key "versoin" [ERR_CONFIG]\n  Did you mean "version"?',
    own: ["wirewright.config.json"],
  },
  protocol: {
    file: "protocol.json",
    text: JSON.stringify({
      ...(JSON.parse(ticker["protocol.json"]) as object),
      roles: "client",
    }),
    others: { "types.json": ticker["types.json"] },
    read: (_, folder) => readProtocol(folder),
    refusal:
      'protocol.json:1:128 /roles: Cannot use "client": it must be an array [ERR_DESCRIPTION]\n  The names of the two sides. The first role opens the session',
    own: descriptions.filter((path) => !isExtension(path)),
  },
  extension: {
    file: "protocol.json",
    text: '{ "extends": "base", "name": "mine", "package": 5 }',
    others: Object.fromEntries(
      Object.entries(ticker).map(([name, text]) => [`base/${name}`, text]),
    ),
    read: (_, folder) => readProtocol(folder),
    refusal:
      "protocol.json:1:49 /package: Cannot use 5: it must be a string [ERR_DESCRIPTION]\n  Name of an npm package",
    own: descriptions.filter(isExtension),
  },
  history: {
    file: "history.json",
    text: '{ "newest": "1.0.0", "earlier": { "0.9.0": { "TickParams": 5 } } }',
    others: {
      ...ticker,
      "protocol.json": JSON.stringify({
        ...(JSON.parse(ticker["protocol.json"]) as object),
        schema: {
          format: "json-schema",
          current: "1.0.0",
          versions: { "1.0.0": "types.json" },
          history: "history.json",
        },
      }),
    },
    read: (_, folder) => readProtocol(folder, { version: "0.9.0" }),
    refusal:
      "history.json:1:60 /earlier/0.9.0/TickParams: Cannot use 5: it must be an object or null [ERR_DESCRIPTION]\n  null if this version lacks the part. Otherwise, the keywords that differ. A keyword whose value is null is absent from this version",
    own: filesBelow("schema", /\/history\.json$/),
  },
  overlay: {
    file: "overlay.json",
    text: '{ "messages": { "request": {} } }',
    others: ticker,
    read: (path, folder) => readProtocol(folder, { overlays: [path] }),
    refusal:
      'overlay.json:1:28 /messages/request: Cannot use the unknown key "request" [ERR_DESCRIPTION]\n  Did you mean "requests"?',
    own: [],
  },
  "session-rules": {
    file: "session-rules.json",
    text: '{ "rules": [{ "id": "tick.early", "docs": "A tick.", "says": "It is early", "source": "x", "message": "event ticker/tick", "test": { "symbol": { "is": "" } } }] }',
    others: ticker,
    read: (_, folder) => readSessionRules(folder),
    refusal:
      'session-rules.json:1:152 /rules/0/test/symbol/is: Cannot use "": it must be an array [ERR_DESCRIPTION]\n  The property has one of these values',
    own: filesBelow("schema", /\/session-rules\.json$/),
  },
  host: {
    file: "host.json",
    text: '{ "name": "Mine", "title": "Mine", "outcomes": {}, "rules": [] }',
    read: (path) => readHost(path, "dap"),
    refusal:
      'host.json:1:11 /name: Cannot use "Mine": it must match pattern "^[a-z][a-z0-9]*(-[a-z0-9]+)*$" [ERR_DESCRIPTION]\n  Lower-case words separated by hyphens',
    own: filesBelow("schema", /\/hosts\/[^/]+\.json$/),
  },
  accept: {
    file: "accept.json",
    text: '{ "accept": [{ "rule": "property.added" }, { "reason": "x" }] }',
    read: readAcceptances,
    refusal:
      'accept.json:1:14 /accept/0: Missing keys "at", "reason" [ERR_CONFIG]\n  "at": Location of the finding, exactly as shown in the report; "reason": Why the finding is accepted',
    own: [],
  },
  "lint-baseline": {
    file: "baseline.json",
    text: '{ "findings": [{ "fingerprint": "0123" }] }',
    read: readBaseline,
    refusal:
      'baseline.json:1:33 /findings/0/fingerprint: Cannot use "0123": it must match pattern "^[0-9a-f]{16}$" [ERR_CONFIG]\n  Identifies the finding: 16 hexadecimal digits, as printed in the report',
    own: [],
  },
  manifest: {
    file: ".wirewright.json",
    text: '{ "files": ["index.ts", 5] }',
    read: (_, folder) => readManifest(folder),
    refusal:
      ".wirewright.json:1:25 /files/1: Cannot use 5: it must be a string [ERR_OUTPUT]\n  Remove the list, and pass --force to overwrite the files that it should contain",
    own: [
      ...filesBelow("generated", /\/\.wirewright\.json$/),
      ...filesBelow("test/fixtures/ticker", /\/\.wirewright\.json$/),
    ],
  },
  "recording-head": {
    file: "session.jsonl",
    text: '{"recording":"wirewright","form":3,"protocol":"dap"}\n{"seq":1,"type":"event","event":"initialized"}\n',
    read: (path) => readRecording([{ name: path, bytes: readFileSync(path) }], dap),
    refusal: "session.jsonl:1:34 /form: Cannot use 3 [ERR_MESSAGE]\n  Allowed: 1, 2",
    own: [],
  },
  "conformance-project": {
    file: "project.json",
    text: '{ "adapters": { "mine": { "language": "python", "command": ["x"], "parallel": 0 } } }',
    read: readProject,
    refusal:
      "project.json:1:79 /adapters/mine/parallel: Cannot use 0: it must be >= 1 [ERR_CONFIG]\n  Number of cases to run in parallel. Default: 2",
    own: ["conformance/adapters/adapters.json"],
  },
  "conformance-expected": {
    file: "known.json",
    text: '{ "base-05": " " }',
    read: (path) => readReasons(path, []),
    refusal:
      'known.json:1:14 /base-05: Cannot use " ": it must match pattern "\\S" [ERR_CONFIG]\n  Give the reason for each check id as a string',
    own: [],
  },
};

for (const [name, { file, text, others, read, refusal }] of Object.entries(formats))
  test(`a bad ${name} file is refused with the location, the value and a hint`, () =>
    withFolder(async (folder) => {
      writeFiles(folder, { ...others, [file]: text });
      const path = join(folder, file);
      const found = await refusalOf(() => read(path, folder));
      assert.equal(found.replaceAll(`${folder}/`, ""), refusal);
    }));

const heads: readonly object[] = [
  {},
  { version: "1.71.0", roles: ["client", "adapter"], began: "2025-01-02T03:04:05.678Z" },
  { version: "1.71.0", roles: ["client", "adapter"], order: "guessed" },
  { form: 2, version: "1.71.0", roles: ["client", "adapter"] },
  { form: 1.5 },
  { protocol: "" },
  { protocol: 5 },
  { version: 5, roles: ["client", "adapter"] },
  { version: "1", roles: ["client"] },
  { version: "1", roles: ["client", 5] },
  { version: "1", roles: ["client", "adapter"], began: "yesterday" },
  { version: "1", roles: ["client", "adapter"], order: "known" },
  { version: "1", roles: ["client", "adapter"], more: 5 },
];

test("the quick check of a recording's first line accepts the same lines as the schema", async () => {
  const verdicts: boolean[] = [];
  for (const more of heads) {
    const value = { recording: "wirewright", form: 1, protocol: "dap", ...more };
    const line = `${JSON.stringify(value)}\n`;
    const file = readJsonText(line, "x");
    const expected = await refusalOf(() => check(file, "recording-head", "ERR_MESSAGE"));
    const found = await refusalOf(() =>
      readRecording([{ name: "x", bytes: Buffer.from(line) }], dap),
    );
    // A recording without messages is refused for a different reason.
    const isHeadAccepted = found === "accepted" || !found.startsWith("x:1:");
    assert.equal(isHeadAccepted, expected === "accepted", `${line}${expected}\n${found}`);
    verdicts.push(isHeadAccepted);
  }
  assert.deepEqual(verdicts.indexOf(false), 4);
  assert.ok(verdicts.slice(4).every((isAccepted) => !isAccepted));
});

test("a file that is not UTF-8 is refused at the first such line, with a hint", () =>
  withFolder(async (folder) => {
    const path = join(folder, "own.json");
    const refused = (line: number, hint: string): string =>
      `own.json:${line}:1: Cannot read text that is not UTF-8 [ERR_ENCODING]\n  ${hint}`;
    const cases = [
      ["\xe9\n{}", refused(1, "Save it as UTF-8")],
      ['{\n"a": "\xe9",\n"b": "\xe9"}', refused(2, "Save it as UTF-8")],
      ['{\n\n"a": 1}\xe9', refused(3, "Save it as UTF-8")],
      ["\x1f\x8b\b", refused(1, "It is compressed with gzip: decompress it first")],
    ] as const;
    for (const [text, expected] of cases) {
      writeFileSync(path, text, "latin1");
      assert.equal(await readOrRefusal(() => readJsonInput(path), folder), expected);
    }
  }));

const written = ["diff-report", "lint-batch", "lint-report", "model", "stats-report"];

test("each JSON Schema in schema/formats describes a format that the tool reads or writes", () => {
  const schemas = readdirSync(fromRoot("schema/formats"))
    .filter((name) => name.endsWith(".schema.json"))
    .map((name) => name.replace(".schema.json", ""));
  assert.deepEqual(schemas, [...Object.keys(formats), ...bundledOnly, ...written].sort());
});

test("the files that come with the tool match their schemas", async () => {
  const others: Partial<Record<CheckedFile, readonly string[]>> = {
    statements: filesBelow("schema", /\/statements\.json$/),
    "framing-rules": ["schema/framing-rules.json"],
    "conformance-results": filesBelow("conformance/results/adapters", /\.json$/),
  };
  const all = [
    ...Object.entries(formats).map(([name, { own }]) => [name, own] as const),
    ...bundledOnly.map((name) => [name, others[name]!] as const),
  ];
  for (const [name, paths] of all)
    for (const path of paths)
      check(await readJsonInput(fromRoot(path)), name as CheckedFile, "ERR_DESCRIPTION");
  assert.ok(all.flatMap(([, paths]) => paths).length > 30);
});

test("each JSON file in schema/ is in a checked format or is a JSON Schema", () => {
  const known = new Set([
    ...Object.values(formats).flatMap(({ own }) => own),
    ...filesBelow("schema", /\/statements\.json$/),
    "schema/framing-rules.json",
  ]);
  const unknown = filesBelow("schema", /\.json$/).filter((path) => {
    if (known.has(path)) return false;
    const value = JSON.parse(root(path)) as Readonly<Record<string, unknown>>;
    return !["$schema", "definitions", "$defs", "properties", "overlay"].some(
      (key) => key in value,
    );
  });
  assert.deepEqual(unknown, []);
});
