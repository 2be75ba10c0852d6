import assert from "node:assert/strict";
import { test } from "node:test";
import { installPackages, withFolder, writeFiles } from "../../support/compile.js";
import { runCommand } from "../../support/run-command.js";
import { page, runtime, inFiles } from "../../support/cdp-domains.js";

test("generating cdp without files suggests the package that contains them", () =>
  withFolder((folder) => {
    const { status, stderr } = runCommand(folder, ["generate", "cdp"]);
    assert.equal(status, 2);
    assert.match(
      stderr,
      /Cannot find "json\/browser_protocol\.json" in the package "devtools-protocol" \[ERR_READ\]\n {2}npm install devtools-protocol\n$/,
    );
  }));

test("diff reads several files as one version", () =>
  inFiles({ "page.json": page, "runtime.json": runtime }, (folder) => {
    const changed = JSON.stringify(page).replace('"url","type":"string"', '"url","type":"integer"');
    assert.notEqual(changed, JSON.stringify(page));
    writeFiles(folder, { "new.json": changed });
    const { status, stdout } = runCommand(folder, [
      "diff",
      "page.json,runtime.json",
      "new.json,runtime.json",
      "--protocol",
      "cdp",
    ]);
    assert.equal(status, 1);
    assert.match(stdout, /PageNavigateParams\.url: string → integer +type\.changed +new\.json:/);
  }));

test("a project file can list files from a package", () =>
  inFiles({ "page.json": page, "runtime.json": runtime }, (folder) => {
    installPackages(folder, ["@wirewright/runtime"]);
    const packages = [{ protocol: "cdp", schema: ["page.json", "runtime.json"], out: "src/cdp" }];
    writeFiles(folder, { "wirewright.config.json": JSON.stringify({ packages }) });
    const written = runCommand(folder, ["generate", "--no-format"]);
    assert.deepEqual([written.status, written.stderr], [0, ""]);
    assert.deepEqual(runCommand(folder, ["generate", "--check", "--no-format"]), {
      status: 0,
      stdout: "1 package up to date\n",
      stderr: "",
    });
  }));
