import assert from "node:assert/strict";
import { test } from "node:test";
import { runtimeRange } from "../../../generator/base/bundled.js";
import { forRuntime, isInRange, runtimeVersion } from "../../../runtime/base/runtime-version.js";
import { readJson } from "../../support/paths.js";

test("the runtime and the tool have the same version", () => {
  for (const path of ["package.json", "runtime/package.json"]) {
    const { version } = readJson(path) as { version: string };
    assert.equal(version, runtimeVersion, path);
  }
});

test("forRuntime() returns its value if the range contains this runtime", () => {
  const value = {};
  assert.equal(forRuntime(runtimeRange(), value), value);
});

for (const range of ["^0.0", "^0.2", "^1.1", "^1.0"])
  test(`forRuntime() refuses code for the runtimes ${range}`, () => {
    assert.throws(() => forRuntime(range, {}), {
      name: "RuntimeVersionError",
      code: "ERR_RUNTIME_VERSION",
      message: `The generated code needs @wirewright/runtime ${range}, but ${runtimeVersion} is installed. Run \`npm install @wirewright/runtime@${range}\`, or generate the code again with wirewright ${runtimeVersion}`,
    });
  });

for (const [range, included, others] of [
  ["^0.1", ["0.1.0", "0.1.12", "0.1.3-beta.1"], ["0.0.9", "0.2.0", "0.10.0", "1.1.0"]],
  ["^1.2", ["1.2.0", "1.3.0", "1.10.0"], ["0.2.0", "1.1.9", "2.0.0", "2.2.0", "10.2.0"]],
  ["^10.0", ["10.0.0", "10.9.1"], ["1.0.0", "9.0.0", "11.0.0"]],
  ["^0.1", [], ["", "next", "0", "v0.1.0"]],
] as const)
  test(`isInRange() finds ${included.join(", ") || "no malformed version"} in ${range}`, () => {
    const versions = [...included, ...others];
    assert.deepEqual(
      versions.filter((version) => isInRange(version, range)),
      included,
    );
  });
