import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withFolder, writeFiles } from "../../../tools/shared/compile.js";
import { schemaWith, type Schema } from "../../../tools/shared/elementary-changes.js";
import { bundledDap, newestDap } from "../../../tools/shared/dap-versions.js";
import { fromRoot, root } from "../../../tools/shared/paths.js";
import { inPeers, skipWithoutPeer } from "../../../tools/shared/peers.js";
import { runCommand, type Outcome } from "../../support/run-command.js";

const protocol = ["--protocol", fromRoot("test/fixtures/elementary")];

/** Schemas of which the second requires what the first does not send. */
const before = JSON.stringify(schemaWith({ schema: object({ q: "string" }) }, "adapter"), null, 2);
const after = JSON.stringify(
  schemaWith({ schema: object({ q: "string", extra: "integer" }) }, "adapter"),
  null,
  2,
);

function object(properties: Readonly<Record<string, string>>): Schema {
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, type]) => [name, { type }]),
    ),
    required: Object.keys(properties),
  };
}

async function withSchemas(use: (folder: string) => void | Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    writeFiles(folder, { "old.json": before, "new.json": after });
    await use(folder);
  });
}

function head({ stdout }: Outcome): string {
  return stdout.split("\n")[0]!;
}

test("the exit status says whether anything is at or above --fail-on", async () => {
  await withSchemas((folder) => {
    const diff = (...args: string[]): number | null =>
      runCommand(folder, ["diff", "old.json", "new.json", ...protocol, ...args]).status;
    assert.equal(diff(), 1);
    assert.equal(diff("--fail-on", "never"), 0);
    assert.equal(diff("--severity", "prop.added-required=risky"), 0);
    assert.equal(diff("--severity", "prop.added-required=risky", "--fail-on", "risky"), 1);
    assert.equal(diff("--severity", "prop.added-required=off", "--fail-on", "doc"), 0);
    // The new side that writes the property has a peer that ignores it; code that builds it must change.
    assert.equal(diff("--pair", "new-client/old-adapter"), 0);
    assert.equal(diff("--pair", "old-client/new-adapter"), 1);
    assert.equal(diff("--side", "client"), 0);
    assert.equal(diff("--side", "client", "--fail-on", "risky"), 1);
    assert.equal(diff("--side", "adapter"), 1);
    assert.equal(
      runCommand(folder, ["diff", "old.json", "old.json", ...protocol, "--fail-on", "doc"]).status,
      0,
    );
  });
});

test("versions come from files, standard input, revisions and declarations", async () => {
  await withSchemas((folder) => {
    const args = [...protocol, "--level", "breaking"];
    const git = (...rest: string[]): void => {
      const { status, stderr } = spawnSync(
        "git",
        ["-c", "user.name=t", "-c", "user.email=t@example.com", ...rest],
        { cwd: folder, encoding: "utf8" },
      );
      assert.equal(status, 0, stderr);
    };
    copyFileSync(join(folder, "old.json"), join(folder, "schema.json"));
    git("init", "-q");
    git("add", "schema.json");
    git("commit", "-qm", "one");
    copyFileSync(join(folder, "new.json"), join(folder, "schema.json"));
    const text = runCommand(folder, ["diff", "old.json", "new.json", ...args]).stdout;
    assert.match(text, /\+ Payload\.extra: integer +prop\.added-required +new\.json:\d+:\d+/);
    const same = (outcome: Outcome): void => {
      assert.equal(outcome.stderr, "");
      assert.equal(outcome.status, 1);
      assert.match(outcome.stdout, /prop\.added-required/);
    };
    same(runCommand(folder, ["diff", "old.json", "-", ...args], after));
    same(runCommand(folder, ["diff", "HEAD:schema.json", "schema.json", ...args]));
    same(
      runCommand(root, [
        "diff",
        `git:${folder}#HEAD:schema.json`,
        join(folder, "new.json"),
        ...args,
      ]),
    );
    mkdirSync(join(folder, "node_modules/@vscode"), { recursive: true });
    symlinkSync(
      fromRoot("node_modules/@vscode/debugprotocol"),
      join(folder, "node_modules/@vscode/debugprotocol"),
    );
    const declared = runCommand(folder, ["diff", "@vscode/debugprotocol", "dap@1.70.0"]);
    assert.equal(head(declared), "dap @vscode/debugprotocol@1.68.0 → 1.70.0   no change");
    const file = fromRoot("node_modules/@vscode/debugprotocol/lib/debugProtocol.d.ts");
    assert.equal(
      head(runCommand(folder, ["diff", file, "dap@1.70.0"])),
      "dap debugProtocol.d.ts → 1.70.0   no change",
    );
    // A generated package is the version that it was generated from.
    mkdirSync(join(folder, "node_modules/@wirewright"));
    symlinkSync(fromRoot("generated/dap"), join(folder, "node_modules/@wirewright/dap"));
    assert.equal(
      head(runCommand(folder, ["diff", "@wirewright/dap", `dap@${newestDap}`])),
      `dap ${newestDap} → ${newestDap}   no change`,
    );
  });
});

test(
  "declarations of an older version are compared, too",
  { skip: skipWithoutPeer("debugprotocol-1.40") },
  async () => {
    await withFolder((folder) => {
      const file = fromRoot("node_modules/@vscode/debugprotocol/lib/debugProtocol.d.ts");
      // Old declarations have neither discriminators nor the values of open lists.
      const old = inPeers("debugprotocol-1.40/lib/debugProtocol.d.ts");
      assert.match(head(runCommand(folder, ["diff", old, "dap@1.40.0"])), /no change$/);
      assert.match(
        head(runCommand(folder, ["diff", old, file])),
        / {3}0 breaking · 1 risky · 31 lossy \(26 groups\) · 34 safe \(13 groups\)$/,
      );
      assert.match(
        head(runCommand(folder, ["diff", "dap@1.65.0", file])),
        /0 breaking · 1 risky · 9 lossy/,
      );
    });
  },
);

test("what cannot be compared ends with 2, and says where and why", async () => {
  await withSchemas((folder) => {
    writeFiles(folder, {
      "comma.json": '{\n  "definitions": {},\n}\n',
      "bad.d.ts": "export interface A { x: () => void }\n",
      "empty.d.ts": "export {};\n",
    });
    const fails = (args: readonly string[], expected: string): void => {
      const { status, stdout, stderr } = runCommand(folder, ["diff", ...args]);
      assert.deepEqual([status, stdout, stderr], [2, "", `${expected}\n`]);
    };
    fails(
      ["comma.json", "dap"],
      'comma.json:3:1: Cannot parse JSON: property name expected at "}" [ERR_JSON]',
    );
    fails(
      ["bad.d.ts", "dap"],
      "bad.d.ts:1:25: Cannot read the type `() => void` [ERR_DECLARATION]\n  Only types of JSON values can be compared: no functions, generics or computed types",
    );
    fails(
      ["empty.d.ts", "dap"],
      "empty.d.ts: Cannot find any interface in the declarations [ERR_DECLARATION]\n  Name a .d.ts file whose interfaces are at the top or in one namespace",
    );
    writeFiles(folder, {
      "node_modules/own/package.json": '{"protocol": "own", "protocolVersion": "3"}',
      "node_modules/empty/package.json": '{"types": "lib/index.d.ts"}',
      "node_modules/none/package.json": '{"name": "none"}',
    });
    const manifest = (name: string): string => join(folder, "node_modules", name, "package.json");
    fails(
      ["own", "dap"],
      `${manifest("own")}: Cannot compare the package "own": it was generated from own 3, which is not bundled [ERR_READ]\n  Give the schema that it was generated from, and its description with --protocol`,
    );
    fails(
      ["empty", "dap"],
      `${manifest("empty")}: Cannot find the declarations of the package "empty": there is no lib/index.d.ts [ERR_READ]\n  Install the package again, or build it`,
    );
    fails(
      ["none", "dap"],
      `${manifest("none")}: Cannot find declarations in the package "none" [ERR_READ]`,
    );
    fails(
      ["nowhere.json", "dap"],
      'Cannot find "nowhere.json" [ERR_READ]\n  Give a file, an https: URL, REF:path, a package in node_modules, or a bundled version such as dap@VERSION',
    );
    fails(
      ["dap@9.9.9", "dap"],
      `${fromRoot("schema/dap/protocol.json")}: Cannot find version "9.9.9" of Debug Adapter Protocol [ERR_UNKNOWN_VERSION]\n  Near: ${bundledDap.slice(-2).join(", ")}; known: ${bundledDap.length} from ${bundledDap[0]} to ${newestDap}; or give a schema file of that version`,
    );
    fails(
      ["dap"],
      "Cannot compare 1 version: give two, the old one first [ERR_ARGUMENT]\n  See wirewright diff --help",
    );
    fails(
      ["dap", "sqltools"],
      "Cannot compare Debug Adapter Protocol with SQL Tools Service protocol: one is between client and adapter, the other between client and service [ERR_ARGUMENT]\n  Give two versions of one protocol",
    );
    fails(["-", "-"], "Cannot read both versions from standard input [ERR_ARGUMENT]");
    fails(
      ["--", "--output=x:y", "dap"],
      'Cannot take "--output=x" for a revision: it starts with a hyphen [ERR_ARGUMENT]',
    );
    assert.ok(!existsSync(join(folder, "x:y")));
    fails(
      ["dap", "dap", "--fail-on", "bad"],
      'Cannot use --fail-on "bad" [ERR_ARGUMENT]\n  Allowed: breaking, risky, lossy, safe, doc, never',
    );
    fails(
      ["dap", "dap", "--severity", "prop.added-requird=off"],
      'Cannot find the rule "prop.added-requird" [ERR_ARGUMENT]\n  Did you mean "prop.added-required"?',
    );
    fails(
      ["dap", "dap", "--side", "server"],
      'Cannot use the side "server" [ERR_ARGUMENT]\n  Allowed: client, adapter',
    );
    fails(
      ["--range", "1.71.0..1.40.0"],
      `Cannot take "1.71.0..1.40.0" for a range [ERR_ARGUMENT]\n  Write the older version first, as in 1.13.0..${newestDap}`,
    );
    fails(
      ["dap", "dap", "--accept", "comma.json"],
      'comma.json:3:1: Cannot parse JSON: property name expected at "}" [ERR_JSON]',
    );
    fails(
      ["dap", "dap", "--out", "no/such/folder/x"],
      "no/such/folder/x: Cannot write the file: ENOENT: no such file or directory [ERR_OUTPUT]",
    );
  });
});

test("accepted findings do not fail, and acceptances that are of no use are named", async () => {
  await withSchemas((folder) => {
    const diff = (...args: string[]): Outcome =>
      runCommand(folder, ["diff", "old.json", "new.json", ...protocol, ...args]);
    const written = diff("--write-accept", "accept.json");
    assert.deepEqual(
      [written.status, written.stdout, written.stderr],
      [0, "", "accept.json: 1 accepted, 1 of them new; give each its reason\n"],
    );
    const file = join(folder, "accept.json");
    const accepted = { id: "prop.added-required", at: "Payload.extra" };
    assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), {
      accept: [{ ...accepted, reason: "accepted without a reason" }],
    });
    const accept = (...entries: object[]): Outcome => {
      writeFiles(folder, { "accept.json": JSON.stringify({ accept: entries }) });
      return diff("--accept", "accept.json");
    };
    const fine = accept({ ...accepted, reason: "one peer only", until: "2999-12-31" });
    assert.equal(fine.status, 0);
    assert.match(fine.stdout, /\n1 accepted\n$/);
    const expired = accept({ ...accepted, reason: "for now", until: "2020-01-31" });
    assert.equal(expired.status, 1);
    assert.match(
      expired.stdout,
      /\nexpired: prop\.added-required Payload\.extra was accepted until 2020-01-31\n$/,
    );
    const stale = accept({ ...accepted, at: "Payload.extr", reason: "misspelt" });
    assert.equal(stale.status, 1);
    assert.match(
      stale.stdout,
      /\nstale: prop\.added-required Payload\.extr is accepted but not found\n$/,
    );
    const faulty = accept({ ...accepted });
    assert.deepEqual(
      [faulty.status, faulty.stderr],
      [2, 'accept.json:1:12 /accept/0: Cannot do without the key "reason" [ERR_CONFIG]\n'],
    );
    accept({ ...accepted, reason: "kept words", until: "2999-12-31" });
    diff("--accept", "accept.json", "--write-accept", "accept.json");
    assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), {
      accept: [{ ...accepted, reason: "kept words", until: "2999-12-31" }],
    });
  });
});

test("reports go to a file whole, without colours", async () => {
  await withSchemas((folder) => {
    const { status, stdout } = runCommand(
      folder,
      ["diff", "old.json", "new.json", ...protocol, "--out", "report.txt"],
      undefined,
      { FORCE_COLOR: "1" },
    );
    assert.deepEqual([status, stdout], [1, ""]);
    const text = readFileSync(join(folder, "report.txt"), "utf8");
    assert.match(text, /^elementary old\.json → new\.json {3}1 breaking\n/);
    assert.match(
      runCommand(folder, ["diff", "old.json", "new.json", ...protocol], undefined, {
        FORCE_COLOR: "1",
      }).stdout,
      /\u001b\[31m/,
    );
  });
});

test("the catalogue lists and explains every rule", () => {
  const { stdout, status } = runCommand(root, ["diff", "rules"]);
  assert.equal(status, 0);
  const [head, ...ids] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ")[0]!);
  assert.match(stdout, /^RULE +OLD TO NEW +NEW TO OLD +WHAT CHANGED\n/);
  assert.equal(head, "RULE");
  assert.ok(ids.length > 60);
  for (const id of [ids[0]!, "type.widened", "gate.added", "doc.changed"]) {
    const explained = runCommand(root, ["diff", "explain", id]);
    assert.equal(explained.status, 0);
    assert.match(explained.stdout, new RegExp(`^${id}: .+\\n\\n.+`));
    assert.doesNotMatch(explained.stdout, /\{|the (before|after)/);
  }
  const unknown = runCommand(root, ["diff", "explain", "prop.aded"]);
  assert.deepEqual(
    [unknown.status, unknown.stderr.split("\n")[0]],
    [2, 'Cannot find the rule "prop.aded" [ERR_ARGUMENT]'],
  );
  assert.match(runCommand(root, ["diff", "--help"]).stdout, /^Usage: wirewright diff OLD NEW/);
});

test("a range shows every pair, and Markdown tells what came when", () => {
  const text = runCommand(root, ["diff", "--range", "1.68.0..1.71.0"]);
  assert.deepEqual(
    [text.status, text.stdout],
    [
      0,
      [
        "dap: 4 versions, 6 pairs",
        "old down, new across: the worst level, and how many findings have it",
        "",
        "              1.69.0        1.70.0        1.71.0",
        "1.68.0        safe 2        safe 2        lossy 1",
        "1.69.0                      same          lossy 1",
        "1.70.0                                    lossy 1",
        "",
        "No name went away and came back as something else.",
        "",
        "Messages, properties and values: 1.69.0 brought 2, 1.70.0 brought 0, 1.71.0 brought 3 (--expand lists them).",
        "",
      ].join("\n"),
    ],
  );
  const markdown = runCommand(root, ["diff", "--range", "1.70.0..", "--format", "markdown"]).stdout;
  assert.match(markdown, /\| 1\.71\.0 \| `StartDebuggingRequestArguments\.outputPresentation` \|/);
  assert.equal(runCommand(root, ["diff", "--range", "1.65.0..", "--fail-on", "risky"]).status, 1);
});
