import assert from "node:assert/strict";
import { test } from "node:test";
import * as library from "../../cli/index.js";

/** Calls to each function with an unknown option, as JavaScript code can make them. */
const calls: Readonly<Record<string, (options: never) => unknown>> = {
  generate: (options) => library.generate("dap", options),
  readProtocol: (options) => library.readProtocol("dap", options),
  openProtocol: (options) => library.openProtocol("dap", options),
  openProtocolSource: (options) => library.openProtocolSource("dap", "dap", options),
  emitPackage: async (options) => library.emitPackage(await library.readProtocol("dap"), options),
  writeOutput: (options) => library.writeOutput("nowhere", new Map(), options),
  diffVersions: (options) => library.diffVersions("dap", "dap", options),
  diffRange: (options) => library.diffRange("1.70.0..1.71.0", options),
  printDiff: (options) => library.printDiff({} as never, "text", options),
  printRange: (options) => library.printRange({} as never, "text", options),
  diffProtocols: (options) => library.diffProtocols({} as never, {} as never, options),
  selectFindings: (options) => library.selectFindings({} as never, options),
  compareVersions: (options) => library.compareVersions([], options),
  lint: (options) => library.lint("nowhere", options),
  derivedFiles: (options) => library.derivedFiles(options),
  openRecording: async (options) =>
    library.openRecording([], await library.readProtocol("dap"), options),
};

for (const [name, call] of Object.entries(calls))
  test(`${name} refuses an unknown option`, async () => {
    await assert.rejects(async () => call({ schemaa: 1 } as never), {
      name: "TypeError",
      message: new RegExp(`^${name}: unknown option "schemaa"\\. `),
    });
  });

test("unusable option values are refused", async () => {
  const cases: [() => unknown, RegExp][] = [
    [
      () => library.lint("a", { protocol: "dap", profile: "strikt" as never }),
      /did you mean "strict"/,
    ],
    [() => library.lint("a", {} as never), /^lint: the option "protocol" is missing/],
    [() => library.lint([], { protocol: "dap" }), /^lint: pass one recording, or one for each/],
    [() => library.printDiff({} as never, "txt" as never), /^printDiff: .*did you mean "text"/],
    [() => library.generate("dap", { version: 1 as never }), /"version" must be a string, not 1$/],
    [() => library.diffVersions("a", "b", { reader: "lax" as never }), /"strict", "schema", "tol/],
    [
      () => library.diffVersions("dap", "dap", { severity: { "prop.aded-optional": "off" } }),
      /an object without "prop\.aded-optional" \(did you mean "prop\.added-optional"\?\)$/,
    ],
    [
      () =>
        library
          .lint(new Uint8Array(), { protocol: "dap", severity: { "response.doubel": "off" } })
          .next(),
      /^lint: the option "severity" must be an object without "response\.doubel" \(did you mean "resp/,
    ],
  ];
  for (const [call, message] of cases)
    await assert.rejects(async () => call(), { name: "TypeError", message });
});
