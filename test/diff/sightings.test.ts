import assert from "node:assert/strict";
import { test } from "node:test";
import { withFolder, writeFiles } from "../support/compile.js";
import { dapSchemaText } from "../support/dap-versions.js";
import { schemaWith, type Schema } from "../support/elementary-changes.js";
import { sideOf } from "../../diff/compare/side.js";
import { SeenPlaces } from "../../diff/seen-places.js";
import { version } from "../support/compared-versions.js";
import { fromRoot } from "../support/paths.js";
import { runCommand } from "../support/run-command.js";

const protocol = ["--protocol", fromRoot("test/fixtures/elementary")];

const text = { type: "string" };
const object = (properties: Schema, required: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  required,
});

/** Two versions of a payload sent by a client, some parts of which change. */
const schemas: Readonly<Record<string, Schema>> = {
  "old.json": object({
    plain: text,
    gone: text,
    kind: { enum: ["a", "b"] },
    inner: { type: "array", items: object({ deep: { type: "integer" } }) },
    either: {
      anyOf: [object({ k: { enum: ["x"] } }, ["k"]), object({ k: { enum: ["y"] } }, ["k"])],
    },
  }),
  "new.json": object(
    {
      plain: text,
      kind: { enum: ["a"] },
      inner: { type: "array", items: object({ deep: text }) },
      either: { anyOf: [object({ k: { enum: ["x"] } }, ["k"])] },
      must: text,
    },
    ["must"],
  ),
};

interface Found {
  readonly rule: string;
  readonly at: string;
  readonly seen?: readonly { readonly file: string; readonly line?: number }[];
}

/** Runs comparisons in a folder that contains the schemas and the given files. */
async function withProject(
  files: Readonly<Record<string, string>>,
  use: (
    diff: (...args: readonly string[]) => ReturnType<typeof runCommand>,
    found: (...args: readonly string[]) => readonly string[],
  ) => void,
): Promise<void> {
  await withFolder((folder) => {
    const all = Object.entries(schemas).map(([name, schema]): [string, string] => [
      name,
      JSON.stringify(schemaWith({ schema }, "adapter"), null, 2),
    ]);
    writeFiles(folder, { ...Object.fromEntries(all), ...files });
    const diff = (...args: readonly string[]): ReturnType<typeof runCommand> =>
      runCommand(folder, ["diff", "old.json", "new.json", ...protocol, ...args]);
    use(diff, (...args) => {
      const { stdout } = diff("--format", "json", ...args);
      const { findings } = JSON.parse(stdout) as { readonly findings: readonly Found[] };
      return findings.map(({ rule, at, seen = [] }) =>
        `${rule} ${at} ${seen.map(({ file, line }) => `${file}:${line}`).join()}`.trim(),
      );
    });
  });
}

const put = (seq: number, payload: object): string =>
  JSON.stringify({
    from: "client",
    message: { seq, type: "request", command: "put", arguments: payload },
  });

const recordings = {
  "plain.jsonl": `${put(1, { plain: "p", must: "m" })}\n`,
  "all.jsonl": [
    put(1, { plain: "p" }),
    put(2, { gone: "g", kind: "a" }),
    put(3, { kind: "b", inner: [{}, { deep: 1 }] }),
    put(4, { inner: [{ deep: 2 }], either: { k: "y" } }),
    "",
  ].join("\n"),
  "none.jsonl": '{"what": 1}\n',
};

test("--session selects the findings that affect a recorded session, each with the first affected message", async () => {
  await withProject(recordings, (diff, found) => {
    assert.deepEqual(found("--session", "all.jsonl"), [
      "prop.removed-optional Payload.gone all.jsonl:2",
      "prop.added-required Payload.must all.jsonl:1",
      'enum.value-removed Payload.kind = "b" all.jsonl:3',
      "type.changed Payload.inner[].deep all.jsonl:3",
      'union.branch-removed Payload.either | { k: "y" } all.jsonl:4',
    ]);
    // The session is affected only by the newly required property.
    assert.deepEqual(found("--session", "plain.jsonl"), [
      "prop.added-required Payload.must plain.jsonl:1",
    ]);
    assert.equal(diff("--session", "all.jsonl").status, 1);
    assert.match(diff("--session", "all.jsonl").stdout, /seen in all\.jsonl:2\n/);
    // Findings that do not affect the session do not make the command fail, but still count towards
    // the version step.
    const same = diff("--session", "plain.jsonl", "--severity", "prop.added-required=off");
    assert.equal(same.status, 0);
    assert.match(
      same.stdout,
      /^elementary old\.json → new\.json {3}plain\.jsonl is not affected by any change\n/,
    );
    assert.match(same.stdout, /version step: major/);
    const { status, stderr } = diff("--session", "none.jsonl");
    assert.deepEqual(
      [status, stderr],
      [
        2,
        'none.jsonl: Cannot find any message in the recording [ERR_JSON]\n  It begins with "{\\"what\\": 1}". It contains 1 object, but none is a request, an event or a response. The first has the fields "what". If it is a recording of another protocol, name that protocol with --protocol\n',
      ],
    );
  });
});

test("a comparison for one role shows only the changes and advice for that role", async () => {
  await withProject({}, (diff) => {
    const { stdout } = diff("--for", "adapter");
    assert.match(stdout, /^An adapter that moves from old\.json to new\.json/m);
    assert.doesNotMatch(stdout, /that stays|client that moves|client code|new client/);
    const page = diff("--for", "client", "--format", "json").stdout;
    const { side, sides, findings } = JSON.parse(page) as {
      readonly side: string;
      readonly sides: readonly { readonly role: string }[];
      readonly findings: readonly {
        readonly wire: object;
        readonly source: object;
      }[];
    };
    assert.deepEqual([side, sides.map(({ role }) => role)], ["client", ["client"]]);
    for (const { wire, source } of findings) {
      assert.deepEqual(Object.keys(wire), ["new-client/old-adapter"]);
      assert.deepEqual(Object.keys(source), ["client"]);
    }
    const wrong = diff("--for", "server");
    assert.deepEqual([wrong.status, wrong.stdout], [2, ""]);
    assert.match(
      wrong.stderr,
      /^Cannot use the side "server" \[ERR_ARGUMENT\]\n {2}Allowed: client, adapter\n$/,
    );
    assert.match(
      diff("--for", "client", "--side", "adapter").stderr,
      /^Cannot use --side adapter with --for client \[ERR_ARGUMENT\]\n {2}Use one of the two\n$/,
    );
  });
});

const code = {
  "src/app.ts": [
    'import type { Payload } from "elementary";',
    'import type { Payload as Copy } from "./generated/types.js";',
    "export const empty: Payload = {};",
    "export const whole = (payload: Payload): unknown[] => [payload.plain, payload.gone];",
    "export const copy = ({ gone }: Copy): unknown => gone;",
    "export const part = ({ inner }: Payload): number | undefined => inner?.[0]?.deep;",
    'export const isB = (payload: Payload): boolean => payload.kind === "b";',
    'export const wrong: number = "wrong with both versions";',
    "",
  ].join("\n"),
  "src/generated/package.json": '{"protocol": "elementary"}',
  "src/generated/types.ts": "export interface Payload { gone?: string }\n",
  "plain/other.ts": "export const gone = 1;\n",
  "empty/readme.txt": "",
};

test("--from compiles the code with the types of both versions, and shows only the new errors", async () => {
  await withProject(code, (diff, found) => {
    const expected = [
      "code.error src/app.ts:3:14",
      "code.error src/app.ts:4:79",
      "code.error src/app.ts:5:24",
      "code.error src/app.ts:6:65",
      "code.error src/app.ts:7:51",
    ];
    assert.deepEqual(found("--from", "src"), expected);
    const { stdout, stderr, status } = diff("--from", "src/app.ts");
    assert.deepEqual(
      [status, stderr],
      [
        1,
        "warning: src/app.ts:8:14: The code has 1 error with both versions, first TS2322: Type 'string' is not assignable to type 'number' [ERR_COMPILE]\n  Changes that concern this code may not be found until it compiles\n",
      ],
    );
    assert.match(
      stdout,
      /^elementary old\.json → new\.json {3}5 breaking\n\nbreaking\n {2}src\/app\.ts:3:14: TS2741: Property 'must' is missing .*\n {6}The code compiles with the types of old\.json, but not with those of new\.json\.\n {2}src\/app\.ts:4:79: TS2339: /,
    );
    const off = diff("--from", "src", "--severity", "code.error=off");
    assert.deepEqual(
      [off.status, off.stdout.split("\n")[0]],
      [0, "elementary old.json → new.json   src compiles as before"],
    );
    for (const [path, why] of [
      ["empty", "there is no TypeScript"],
      ["nowhere", "there is no such file"],
      ["plain", "it does not import the types of Elementary changes"],
    ] as const) {
      const refused = diff("--from", path);
      assert.deepEqual(
        [refused.status, refused.stderr.split("\n")[0]],
        [2, `Cannot compile the code in "${path}": ${why} [ERR_READ]`],
      );
    }
    assert.match(
      diff("--from", "src", "--session", "x.jsonl").stderr,
      /^Cannot filter by a session and by code at the same time \[ERR_ARGUMENT\]\n/,
    );
  });
});

test("--from finds code that uses a renamed part, through a package's declarations and by name", async () => {
  const app = [
    'import type { DebugProtocol } from "@vscode/debugprotocol";',
    'import type { Requests } from "@wirewright/dap";',
    "export function show(frame: DebugProtocol.StackFrame): void {",
    "  console.log(frame.canRestart);",
    "}",
    'export const name: keyof Requests = "writeMemory";',
    "",
  ].join("\n");
  await withFolder((folder) => {
    writeFiles(folder, {
      "app.ts": app,
      "tsconfig.json":
        '{"compilerOptions": {"strict": true, "module": "nodenext"}, "include": ["*.ts"]}',
      "dap.json": dapSchemaText("1.70.0")
        .replaceAll("canRestart", "restartable")
        .replaceAll("writeMemory", "putMemory"),
    });
    const { stdout } = runCommand(
      folder,
      "diff dap@1.70.0 dap.json --from . --format github".split(" "),
    );
    assert.deepEqual(
      stdout
        .trim()
        .split("\n")
        .map((line) => line.split(". The code", 1)[0]),
      [
        "::error file=app.ts,line=4,col=21,title=code.error::app.ts:4:21: TS2339: Property 'canRestart' does not exist on type 'StackFrame'",
        `::error file=app.ts,line=6,col=14,title=code.error::app.ts:6:14: TS2322: Type '"writeMemory"' is not assignable to type 'keyof Requests'`,
      ],
    );
  });
});

test("a value is seen at the definition that its type extends", async () => {
  const tagged = (kind: string): Schema => object({ kind: { const: kind }, x: text }, ["kind"]);
  const protocol = await version(
    { allOf: [{ $ref: "#/definitions/Either" }, object({ own: text })] },
    { Either: { anyOf: [tagged("a"), tagged("b")] } },
  );
  const seen = new Map();
  new SeenPlaces(sideOf(protocol), seen).add(
    "Payload",
    { kind: "a", x: "y", own: "z" },
    { file: "" },
  );
  assert.deepEqual(
    [...seen.keys()],
    [
      "Payload",
      "Payload.kind",
      "Either",
      "Either.kind",
      'Either.kind = "a"',
      "Payload.x",
      "Either.x",
      'Either.x = "y"',
      "Payload.own",
      'Payload.own = "z"',
    ],
  );
});
