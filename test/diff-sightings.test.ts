import assert from "node:assert/strict";
import { test } from "node:test";
import { withFolder, writeFiles } from "./support/compile.js";
import { schemaWith, type Schema } from "./support/elementary-changes.js";
import { fromRoot } from "./support/paths.js";
import { runCommand } from "./support/run-command.js";

const protocol = ["--protocol", fromRoot("test/fixtures/elementary")];

const text = { type: "string" };
const object = (properties: Schema, required: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  required,
});

/** A payload that a client sends, with parts that change and parts that do not. */
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
  readonly id: string;
  readonly at: string;
  readonly seen?: readonly { readonly file: string; readonly line?: number }[];
}

/** Compares in a folder with the schemas and further files. */
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
      return findings.map(({ id, at, seen = [] }) =>
        `${id} ${at} ${seen.map(({ file, line }) => `${file}:${line}`).join()}`.trim(),
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

test("a session tells which findings it would have met, and with which message", async () => {
  await withProject(recordings, (diff, found) => {
    assert.deepEqual(found("--session", "all.jsonl"), [
      "prop.removed-optional Payload.gone all.jsonl:2",
      "prop.added-required Payload.must all.jsonl:1",
      'enum.value-removed Payload.kind = "b" all.jsonl:3',
      "type.changed Payload.inner[].deep all.jsonl:3",
      "union.branch-removed Payload.either | { k } all.jsonl:4",
    ]);
    // The property that is required now is there; of the others none is used.
    assert.deepEqual(found("--session", "plain.jsonl"), [
      "prop.added-required Payload.must plain.jsonl:1",
    ]);
    assert.equal(diff("--session", "all.jsonl").status, 1);
    assert.match(diff("--session", "all.jsonl").stdout, /seen in all\.jsonl:2\n/);
    // What the session does not meet does not fail, and the version step is still that of all.
    const same = diff("--session", "plain.jsonl", "--severity", "prop.added-required=off");
    assert.equal(same.status, 0);
    assert.match(
      same.stdout,
      /^elementary old\.json → new\.json {3}plain\.jsonl has to do with no change\n/,
    );
    assert.match(same.stdout, /version step: major/);
    const { status, stderr } = diff("--session", "none.jsonl");
    assert.deepEqual(
      [status, stderr],
      [
        2,
        "none.jsonl: Cannot find a message of the Elementary changes [ERR_MESSAGE]\n  Give a recording of wirewright tap, or framed bytes\n",
      ],
    );
  });
});

test("a comparison for one role shows that role's part only", async () => {
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
    assert.match(wrong.stderr, /--for/);
    assert.match(
      diff("--for", "client", "--side", "adapter").stderr,
      /^Cannot judge for the adapter and show the part of the client \[ERR_ARGUMENT\]\n {2}Give --side or --for\n$/,
    );
  });
});
