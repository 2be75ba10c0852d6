import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { test } from "node:test";
import { withFolder, writeFiles } from "../support/compile.js";
import { schemaWith, type Schema } from "../support/elementary-changes.js";
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
      "union.branch-removed Payload.either | { k } all.jsonl:4",
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
        "none.jsonl: Cannot find any Elementary changes messages: no line is a request, an event or a response [ERR_JSON]\n  If it is a recording of another protocol, name that protocol with --protocol. If it is a log, run wirewright convert formats to list the formats that can be read\n",
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
        readonly code: readonly { readonly role: string }[];
      }[];
    };
    assert.deepEqual([side, sides.map(({ role }) => role)], ["client", ["client"]]);
    for (const { wire, source, code } of findings) {
      assert.deepEqual(Object.keys(wire), ["new-client/old-adapter"]);
      assert.deepEqual(Object.keys(source), ["client"]);
      assert.ok(code.every(({ role }) => role === "client"));
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
  "src/types.ts": [
    "export interface Payload { plain?: string; gone?: string; kind?: 'a' | 'b'; inner?: { deep?: number }[] }",
    "export interface Other { gone: string; deep: number }",
    "",
  ].join("\n"),
  "src/app.ts": [
    'import type { Other, Payload } from "./types.js";',
    "export const empty: Payload = {};",
    "export const whole = (payload: Payload): unknown[] => [payload.plain, payload.gone];",
    "export const { gone } = { gone: 1 };",
    "export const part = ({ inner }: Payload): unknown => inner?.[0]?.deep;",
    "export const other = (value: Other): unknown => [value.gone, value.deep];",
    'export const isB = (payload: Payload): boolean => payload.kind === "b" || payload.plain === "b";',
    "export function name({ kind }: Payload): void {",
    '  switch (kind) { case "b": }',
    "}",
    'export const filled: Payload = { gone: "g", ["plain"]: "p", kind: "b" };',
    "",
  ].join("\n"),
  "src/node_modules/their/index.ts": "export const nothing = { gone: 1 };\n",
  "empty/readme.txt": "",
};

test("--from selects the findings that affect the given code, with their locations in it", async () => {
  await withProject(code, (diff, found) => {
    const lines = (...all: readonly number[]): string =>
      all.map((line) => `src/app.ts:${line}`).join();
    const expected = [
      `prop.removed-optional Payload.gone ${lines(3, 11)}`,
      `prop.added-required Payload.must ${lines(2, 11)}`,
      `enum.value-removed Payload.kind = "b" ${lines(7, 9, 11)}`,
      `type.changed Payload.inner[].deep ${lines(5)}`,
    ];
    assert.deepEqual(found("--from", "src"), expected);
    assert.deepEqual(found("--from", "src/app.ts"), expected);
    const { stdout, status } = diff("--from", "src");
    assert.equal(status, 1);
    assert.match(stdout, /seen in src\/app\.ts:3:\d+, src\/app\.ts:11:\d+\n/);
    for (const path of ["empty", "nowhere"]) {
      const { status: failed, stderr } = diff("--from", path);
      assert.equal(failed, 2);
      assert.match(stderr, new RegExp(`^Cannot read the code in "${path}": there is no`));
    }
    assert.match(
      diff("--from", "src", "--session", "x.jsonl").stderr,
      /^Cannot filter by a session and by code at the same time \[ERR_ARGUMENT\]\n/,
    );
  });
});

test("--from follows imports to a package's declarations and finds messages by name", async () => {
  const app = [
    'import type { DebugProtocol } from "@vscode/debugprotocol";',
    "export function show(frame: DebugProtocol.StackFrame, event: DebugProtocol.StoppedEvent): void {",
    "  const { reason, hitBreakpointIds } = event.body;",
    '  if (event.body.reason === "instruction breakpoint") console.log(frame.canRestart);',
    "  console.log(reason, hitBreakpointIds);",
    "}",
    "export const handlers = { locations() {} };",
    "export class Session { writeMemoryRequest(): void {} }",
    "",
  ].join("\n");
  await withFolder((folder) => {
    writeFiles(folder, {
      "app.ts": app,
      "tsconfig.json":
        '{"compilerOptions": {"strict": true, "module": "nodenext"}, "include": ["*.ts"]}',
    });
    mkdirSync(`${folder}/node_modules/@vscode`, { recursive: true });
    symlinkSync(
      fromRoot("node_modules/@vscode/debugprotocol"),
      `${folder}/node_modules/@vscode/debugprotocol`,
    );
    const { stdout } = runCommand(folder, [
      "diff",
      "dap@1.40.0",
      "dap@1.70.0",
      "--from",
      ".",
      "--format",
      "json",
    ]);
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly Found[] };
    assert.deepEqual(
      findings.map(({ at, seen }) => `${at} ${seen![0]!.line}`),
      [
        "request writeMemory 8",
        "request locations 7",
        "StoppedEventBody.hitBreakpointIds 3",
        'StoppedEventBody.reason = "instruction breakpoint" 4',
        "StackFrame.canRestart 4",
      ],
    );
  });
});
