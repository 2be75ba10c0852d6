import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withFolder, writeFiles } from "../support/compile.js";
import { schemaWith } from "../support/elementary-changes.js";
import { fromRoot } from "../support/paths.js";
import { runCommand, type Outcome } from "../support/run-command.js";

const payload = (...names: readonly string[]): string =>
  JSON.stringify(
    schemaWith(
      {
        schema: {
          type: "object",
          properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
          required: names,
        },
      },
      "adapter",
    ),
  );
const elementary = fromRoot("test/fixtures/elementary");
const added = { rule: "prop.added-required", at: "Payload.b" };

/** Runs diff from `1.0.0.json` to a version with an additional required property. */
async function withVersions(
  use: (diff: (...args: string[]) => Outcome, folder: string) => void,
): Promise<void> {
  await withFolder((folder) => {
    writeFiles(folder, {
      "1.0.0.json": payload("a"),
      "1.1.0.json": payload("a", "b"),
      "unnamed.json": payload("a"),
      "wider.json": payload("a", "b", "c"),
    });
    use((...args) => runCommand(folder, ["diff", ...args, "--protocol", elementary]), folder);
  });
}

const outcomeOf = ({ status, stderr }: Outcome): readonly [number | null, string] => [
  status,
  stderr,
];

test("--fail-on-step fails if the version step is too small", async () => {
  await withVersions((diff) => {
    const two = ["1.0.0.json", "1.1.0.json", "--fail-on", "never"];
    assert.deepEqual(outcomeOf(diff(...two)), [0, ""]);
    const message =
      'The version step is too small: 1.0.0 to 1.1.0 is "minor", but the changes require "major"\n';
    assert.deepEqual(outcomeOf(diff(...two, "--fail-on-step")), [1, message]);
    assert.deepEqual(outcomeOf(diff(...two, "--claimed", "2.0.0")), [0, ""]);
    assert.deepEqual(outcomeOf(diff(...two, "--fail-on-step", "--claimed", "2.0.0")), [0, ""]);
    assert.equal(diff(...two, "--claimed", "1.9.0").status, 1);
    assert.equal(diff(...two, "--claimed", "major").status, 0);
    assert.equal(diff(...two, "--claimed", "minor").status, 1);
    const example =
      "  Give a version such as 1.72.0, two versions such as 1.71.0..1.72.0, or major, minor or patch\n";
    assert.deepEqual(outcomeOf(diff(...two, "--claimed", "banana")), [
      2,
      `Cannot use the claimed step "banana" [ERR_ARGUMENT]\n${example}`,
    ]);
    assert.deepEqual(outcomeOf(diff(...two, "--claimed", "0.9.0")), [
      2,
      `Cannot use the claimed step "0.9.0": it is not later than the old version [ERR_ARGUMENT]\n${example}`,
    ]);
    const unnamed = ["unnamed.json", "1.1.0.json", "--fail-on", "never"];
    const hint =
      "  Give both versions, such as 1.71.0..1.72.0, or the name of the step, such as minor\n";
    for (const args of [["--claimed", "1.1.0"], ["--fail-on-step"]])
      assert.deepEqual(outcomeOf(diff(...unnamed, ...args)), [
        2,
        `Cannot check the step to 1.1.0: the old version, "unnamed.json", has no version number [ERR_ARGUMENT]\n${hint}`,
      ]);
    assert.equal(diff(...unnamed, "--claimed", "1.0.0..1.1.0").status, 1);
    assert.equal(diff(...unnamed, "--claimed", "1.0.0..2.0.0").status, 0);
    assert.deepEqual(outcomeOf(diff("1.0.0.json", "wider.json", "--fail-on-step")), [
      2,
      `Cannot check the step to "wider.json": it is not a version number [ERR_ARGUMENT]\n${hint}`,
    ]);
  });
});

test("--fail-on-stale fails on acceptances that match nothing, and misspelt rules are reported with their location", async () => {
  await withVersions((diff, folder) => {
    const accept = (...entries: object[]): string[] => {
      writeFiles(folder, { "accept.json": JSON.stringify({ accept: entries }) });
      return ["1.0.0.json", "1.1.0.json", "--accept", "accept.json"];
    };
    const used = { ...added, reason: "agreed" };
    const stale = { rule: "type.changed", at: "Payload.a", reason: "was reverted" };
    assert.deepEqual(outcomeOf(diff(...accept(used, stale))), [0, ""]);
    assert.deepEqual(outcomeOf(diff(...accept(used, stale), "--fail-on-stale")), [
      1,
      "Accepted finding no longer occurs: type.changed Payload.a\n",
    ]);
    assert.deepEqual(outcomeOf(diff(...accept(used), "--fail-on-stale")), [0, ""]);
    assert.deepEqual(outcomeOf(diff(...accept(used, { ...stale, rule: "type.chnged" }))), [
      2,
      'accept.json:1:86 /accept/1/rule: Cannot find the rule "type.chnged" [ERR_CONFIG]\n  Did you mean "type.changed"?\n',
    ]);
  });
});

test("--write-accept adds to the existing entries", async () => {
  await withVersions((diff, folder) => {
    const read = (): unknown =>
      (JSON.parse(readFileSync(join(folder, "accept.json"), "utf8")) as { accept: unknown }).accept;
    const other = { rule: "type.changed", at: "Elsewhere.a", reason: "another pair" };
    writeFiles(folder, { "accept.json": JSON.stringify({ accept: [other] }) });
    const write = (to: string): readonly [number | null, string] =>
      outcomeOf(diff("1.0.0.json", to, "--write-accept", "accept.json"));
    const fresh = { ...added, reason: "accepted without a reason" };
    assert.deepEqual(write("1.1.0.json"), [
      0,
      "accept.json: 2 accepted, 1 of them new; add a reason to each\n",
    ]);
    assert.deepEqual(read(), [other, fresh]);
    assert.deepEqual(write("wider.json"), [
      0,
      "accept.json: 3 accepted, 1 of them new; add a reason to each\n",
    ]);
    assert.deepEqual(read(), [other, fresh, { ...fresh, at: "Payload.c" }]);
    writeFiles(folder, { "accept.json": '{ "accept": [{}] }' });
    assert.equal(write("1.1.0.json")[0], 2);
    assert.deepEqual(read(), [{}]);
  });
});

test("a project file contains settings, and options override them", async () => {
  await withFolder((folder) => {
    writeFiles(folder, { "1.0.0.json": payload("a"), "1.1.0.json": payload("a", "b") });
    const configure = (diff: unknown): void =>
      writeFiles(folder, { "wirewright.config.json": JSON.stringify({ diff }) });
    const run = (...args: string[]): Outcome =>
      runCommand(folder, ["diff", "1.0.0.json", "1.1.0.json", ...args]);
    const base = { protocol: elementary };
    const statusWith = (settings: object, ...args: string[]): number | null => {
      configure({ ...base, ...settings });
      return run(...args).status;
    };
    const { rule } = added;
    assert.equal(statusWith({}), 1);
    assert.equal(statusWith({ failOn: "never" }), 0);
    assert.equal(statusWith({ failOn: "never" }, "--fail-on", "breaking"), 1);
    assert.equal(statusWith({ severity: { [rule]: "risky" } }), 0);
    assert.equal(
      statusWith({ severity: { [rule]: "risky" } }, "--severity", `${rule}=breaking`),
      1,
    );
    assert.equal(
      statusWith({ severity: { "type.changed": "off" } }, "--severity", `${rule}=off`),
      0,
    );
    assert.equal(statusWith({ pair: "new-client/old-adapter" }), 0);
    assert.equal(statusWith({ pair: "new-client/old-adapter" }, "--pair", "both"), 1);
    assert.equal(statusWith({ side: "client" }), 0);
    assert.equal(statusWith({ failOn: "never", failOnStep: true }), 1);
    assert.equal(statusWith({ failOn: "never", failOnStep: true }, "--claimed", "2.0.0"), 0);
    const accept = [{ ...added, reason: "agreed" }];
    assert.equal(statusWith({ accept }), 0);
    assert.equal(statusWith({ accept: [] }), 1);
    const stale = [...accept, { rule: "type.changed", at: "Payload.x", reason: "gone" }];
    assert.equal(statusWith({ accept: stale }), 0);
    assert.equal(statusWith({ accept: stale, failOnStale: true }), 1);
    // Paths in a settings file are relative to the folder that contains it.
    writeFiles(folder, {
      "ci/wirewright.config.json": JSON.stringify({ diff: { ...base, accept: "accept.json" } }),
      "ci/accept.json": JSON.stringify({ accept }),
    });
    assert.equal(run("--config", "ci/wirewright.config.json").status, 0);
    // diff ignores settings for other commands.
    writeFiles(folder, { "wirewright.config.json": '{ "packages": 1 }' });
    assert.equal(run("--protocol", elementary).status, 1);
  });
});

test("an error in the settings is reported with its location", async () => {
  await withFolder((folder) => {
    const fails = (text: string, ...args: string[]): string => {
      writeFiles(folder, { "wirewright.config.json": text });
      const { status, stdout, stderr } = runCommand(folder, ["diff", "dap", "dap", ...args]);
      assert.deepEqual([status, stdout], [2, ""]);
      return stderr;
    };
    const at = (line: string): string => `wirewright.config.json:${line}\n`;
    assert.equal(
      fails('{ "diff": { "failon": "risky" } }'),
      at(
        '1:23 /diff/failon: Cannot use the unknown key "failon" [ERR_CONFIG]\n  Did you mean "failOn"?',
      ),
    );
    assert.equal(
      fails('{ "diff": { "failOn": "rsky" } }'),
      at(
        '1:23 /diff/failOn: Cannot use "rsky" [ERR_CONFIG]\n  Allowed: breaking, risky, lossy, safe, doc, never',
      ),
    );
    assert.equal(
      fails('{ "diff": { "severity": { "type.chnged": "off" } } }'),
      at(
        '1:42 /diff/severity/type.chnged: Cannot find the rule "type.chnged" [ERR_CONFIG]\n  Did you mean "type.changed"?',
      ),
    );
    assert.equal(
      fails('{ "diff": { "accept": [{ "rule": "nonsense", "at": "a", "reason": "b" }] } }'),
      at(
        '1:34 /diff/accept/0/rule: Cannot find the rule "nonsense" [ERR_CONFIG]\n  See wirewright diff rules',
      ),
    );
    assert.equal(
      fails('{ "diff": { "accept": [{ "rule": "type.changed", "at": "a" }] } }'),
      at(
        '1:24 /diff/accept/0: Missing key "reason" [ERR_CONFIG]\n  "reason": Why the finding is accepted',
      ),
    );
    assert.match(
      fails('{ "diff": { "accept": "none.json" } }'),
      /^none\.json: Cannot read the file: there is no such file \[ERR_READ\]\n$/,
    );
    assert.match(
      fails('{ "diff": { "pair": "a/b" } }'),
      /^Cannot use the pair "a\/b" \[ERR_ARGUMENT\]\n {2}Allowed: new-client\/old-adapter, /,
    );
    writeFiles(folder, { "wirewright.config.json": '{ "diff": {} }' });
    assert.equal(
      runCommand(folder, ["generate"]).stderr,
      'wirewright.config.json:1:1: The key "packages" is missing [ERR_CONFIG]\n  List the packages to generate, or name a protocol on the command line\n',
    );
  });
});
