import assert from "node:assert/strict";
import { test } from "node:test";
import { openProtocol, readProtocol } from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { readSessionRules } from "../../../sessions/judge/session-rules.js";
import { describedVersions } from "../../../generator/read/read-protocol.js";
import { notations } from "@wirewright/ruby-debug-ide";
import { withFolder } from "../../support/compile.js";
import { runCommand } from "../../support/run-command.js";

const versions = await describedVersions("ruby-debug-ide");
const models = new Map<string, Protocol>();
for (const version of versions)
  models.set(version, await readProtocol("ruby-debug-ide", { version }));

/** Returns the versions that contain a message. */
const having = (name: string): readonly string[] =>
  versions.filter((each) => models.get(each)!.messages.some((message) => message.name === name));

test("one description covers all versions of the specification", () => {
  assert.deepEqual(versions, [
    "0.1.10",
    "0.2.0",
    "0.2.1",
    "0.3.0",
    "0.3.1",
    "0.4.0",
    "0.4.1",
    "0.4.2",
    "0.4.3",
    "0.4.4",
    "0.4.5",
    "0.4.6",
    "0.4.9",
    "0.4.10",
    "0.7.5",
  ]);
  for (const version of versions) assert.equal(models.get(version)!.version, version);
});

test("a definition does not exist in versions before the one that introduced it", () => {
  const since = (name: string): string | undefined => having(name)[0];
  assert.deepEqual(
    ["enable", "disable", "condition", "conditionSet", "catchpointDeleted", "break"].map(since),
    ["0.2.0", "0.2.0", "0.2.0", "0.2.0", "0.4.5", "0.1.10"],
  );
  const debug = versions.filter((each) =>
    JSON.stringify(
      models.get(each)!.definitions.find(({ name }) => name === "MessageText"),
    ).includes('"debug"'),
  );
  assert.equal(debug[0], "0.4.0");
});

test("catch gets the answer defined by its version", () => {
  const answers = (version: string): readonly string[] => {
    const message = models.get(version)!.messages.find(({ name }) => name === "catch")!;
    return message.kind === "request" ? message.answers!.answers : [];
  };
  assert.deepEqual(
    ["0.1.10", "0.2.1", "0.3.0", "0.4.10"].map((version) => answers(version)),
    [["message"], ["message"], ["catchpointSet", "conditionSet"], ["catchpointSet"]],
  );
});

test("the rule about absolute file names applies from 0.4.1 on", async () => {
  const has = async (version: string): Promise<boolean> =>
    (await readSessionRules("ruby-debug-ide", version))!.rules.some(
      ({ id }) => id === "file.relative",
    );
  assert.deepEqual(
    [await has("0.4.0"), await has("0.4.1"), await has("0.4.10"), await has("0.7.5")],
    [false, true, true, true],
  );
  const opened = await openProtocol("ruby-debug-ide@0.4.0");
  assert.ok(!opened.sessionRules!.rules.some(({ id }) => id === "file.relative"));
});

test("versions can be compared, and doc comments name the version that introduced a definition", async () => {
  await withFolder((folder) => {
    const diff = runCommand(folder, ["diff", "ruby-debug-ide@0.1.10", "ruby-debug-ide@0.4.10"]);
    assert.match(diff.stdout, /\+ request enable {3}message\.added-request/);
    const { status, stderr } = runCommand(folder, [
      "generate",
      "ruby-debug-ide@0.4.10",
      "--out",
      "package",
      "--since",
    ]);
    assert.equal(status, 0, stderr);
  });
});

test("encoding fails for a value that an element cannot express", () => {
  const { debugger: notation } = notations;
  const refused = (message: object): void =>
    assert.throws(() => notation.write(message), { code: "ERR_ENCODE_FIELD" });
  refused({ element: "methods", body: { name: "a" } });
  refused({ element: "breakpointDeleted", body: { no: 1, extra: 2 } });
  assert.equal(
    notation.write({ element: "methods", body: { attributes: { name: "a" } } }),
    '<methods name="a"/>',
  );
});
