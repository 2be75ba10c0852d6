import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withFolder, writeFiles } from "../support/compile.js";
import { bundledDap, newestDap } from "../support/dap-versions.js";
import { generate } from "../../cli/index.js";
import { fromRoot, root, inPeers, skipWithoutPeer } from "../support/paths.js";
import { runCommand, type Outcome } from "../support/run-command.js";
import { after, head, protocol, withSchemas } from "../support/diff-command.js";

test("diff reads versions from files, standard input, revisions and declarations", async () => {
  await withSchemas(async (folder) => {
    const args = [...protocol, "--at-least", "breaking"];
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
    // A generated package stands for the version that it was generated from.
    const { files } = await generate("dap", { packageName: "@wirewright/dap" });
    writeFiles(join(folder, "node_modules/@wirewright/dap"), files);
    assert.equal(
      head(runCommand(folder, ["diff", "@wirewright/dap", `dap@${newestDap}`])),
      `dap ${newestDap} → ${newestDap}   no change`,
    );
  });
});

test(
  "declarations from older versions can be compared",
  { skip: skipWithoutPeer("debugprotocol-1.40") },
  async () => {
    await withFolder((folder) => {
      const file = fromRoot("node_modules/@vscode/debugprotocol/lib/debugProtocol.d.ts");
      // The version 1.40 declarations contain neither discriminators nor open enum values.
      const old = inPeers("debugprotocol-1.40/lib/debugProtocol.d.ts");
      assert.match(head(runCommand(folder, ["diff", old, "dap@1.40.0"])), /no change$/);
      assert.match(
        head(runCommand(folder, ["diff", old, file])),
        / {3}0 breaking · 2 risky · 31 lossy \(26 groups\) · 34 safe \(13 groups\)$/,
      );
      assert.match(
        head(runCommand(folder, ["diff", "dap@1.65.0", file])),
        /0 breaking · 1 risky · 9 lossy/,
      );
    });
  },
);

test("the command exits with status 2 and gives the location and the reason if sources cannot be compared", async () => {
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
      "bad.d.ts:1:25: Cannot read the type `() => void` [ERR_DECLARATION]\n  Only JSON types can be compared, not functions, generics or computed types",
    );
    fails(
      ["empty.d.ts", "dap"],
      "empty.d.ts: Cannot find any interfaces in the declarations [ERR_DECLARATION]\n  Pass a .d.ts file with interfaces at the top level or in a single namespace",
    );
    writeFiles(folder, {
      "node_modules/own/package.json": '{"protocol": "own", "protocolVersion": "3"}',
      "node_modules/empty/package.json": '{"types": "lib/index.d.ts"}',
      "node_modules/none/package.json": '{"name": "none"}',
    });
    const manifest = (name: string): string => join(folder, "node_modules", name, "package.json");
    fails(
      ["own", "dap"],
      `${manifest("own")}: Cannot compare the package "own": it was generated from own 3, which is not bundled [ERR_READ]\n  Pass the schema that it was generated from, and pass the protocol's description with --protocol`,
    );
    fails(
      ["empty", "dap"],
      `${manifest("empty")}: Cannot find declarations for the package "empty": there is no lib/index.d.ts [ERR_READ]\n  Reinstall or build the package`,
    );
    fails(
      ["none", "dap"],
      `${manifest("none")}: Cannot find declarations in the package "none" [ERR_READ]`,
    );
    fails(
      ["nowhere.json", "dap"],
      'Cannot find "nowhere.json" [ERR_READ]\n  Pass a file, the folder of a protocol.json, an https: URL, REF:path, a package in node_modules, or a version such as dap@VERSION',
    );
    fails(
      ["dap@9.9.9", "dap"],
      `Cannot find version "9.9.9" of the Debug Adapter Protocol [ERR_UNKNOWN_VERSION]\n  Similar versions: ${bundledDap.slice(-2).join(", ")}; known: ${bundledDap.length} versions from ${bundledDap[0]} to ${newestDap}; or pass a schema file for that version`,
    );
    fails(
      ["dap"],
      "Cannot compare 1 version: give two versions, the old one first [ERR_ARGUMENT]\n  See wirewright diff --help",
    );
    fails(
      ["dap", "sqltools"],
      "Cannot compare Debug Adapter Protocol with SQL Tools Service protocol: one is a protocol between client and adapter, the other between client and service [ERR_ARGUMENT]\n  Give two versions of the same protocol",
    );
    fails(["-", "-"], "Cannot read both versions from standard input [ERR_ARGUMENT]");
    fails(
      ["--", "--output=x:y", "dap"],
      'Cannot use "--output=x" as a revision: it starts with a hyphen [ERR_ARGUMENT]',
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
      `Cannot use "1.71.0..1.40.0" as a range [ERR_ARGUMENT]\n  Write the older version first, as in 1.13.0..${newestDap}`,
    );
    fails(
      ["dap", "dap", "--accept", "comma.json"],
      'comma.json:3:1: Cannot parse JSON: property name expected at "}" [ERR_JSON]',
    );
    fails(
      ["dap", "dap", "--out", "no/such/folder/x"],
      "no/such/folder/x: Cannot write the file: there is no such folder [ERR_OUTPUT]",
    );
  });
});
