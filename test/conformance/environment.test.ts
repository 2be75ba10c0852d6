import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import type { Language } from "../../conformance/index.js";
import { probeEnvironment } from "../../conformance/run/environment.js";
import type { Reasons } from "../../conformance/session/verdict.js";
import { runCase } from "../../conformance/run/run-case.js";
import { Pace } from "../../conformance/session/pace.js";
import { cases } from "../../conformance/cases/cases.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { referenceSuite, stepsLanguage } from "../support/reference/reference-suite.js";

const attach = { arguments: { program: "${program}", pid: "${pid}" } };

const suiteWith = (language: Partial<Language>) =>
  referenceSuite({ ...stepsLanguage(), ...language }, { attach });

const reasonsOf = async (language: Partial<Language>): Promise<Reasons> =>
  probeEnvironment(await suiteWith(language), { supportsDataBreakpoints: true });

const running = (code: string): readonly string[] => [process.execPath, "-e", code, "${program}"];

test("the program is run without the adapter before its output is judged", async () => {
  const prints = 'console.log("héllo 世界 🎉"); console.error("warning"); process.exitCode = ';
  assert.deepEqual(await reasonsOf({ run: running(`${prints}3`) }), {});
  assert.deepEqual(await reasonsOf({ run: running(`${prints}0`) }), {
    "end-08": "without a debugger, the program does not exit with 3: 0",
  });
  assert.deepEqual(await reasonsOf({ run: ["wirewright-missing", "${program}"] }), {
    "out-01": 'without a debugger, the program does not print "héllo 世界 🎉" to stdout: ENOENT',
    "out-02": 'without a debugger, the program does not print "warning" to stderr: ENOENT',
    "end-08": "without a debugger, the program does not exit with 3: ENOENT",
  });
  assert.deepEqual(await reasonsOf({ run: ["true"] }), {});
});

test("a machine without watchpoints, or without attaching, is found out without the adapter", () =>
  withFolder(async (folder) => {
    const { PATH } = process.env;
    const compiler = (status: number): void => {
      const probe = `#!/bin/sh\\nexit ${status}\\n`;
      writeFiles(folder, { gcc: `#!/bin/sh\nprintf '${probe}' > "$2"\nchmod +x "$2"\n` });
      chmodSync(join(folder, "gcc"), 0o755);
    };
    const native = { run: ["true"], isNative: true } as const;
    try {
      process.env["PATH"] = `${folder}${delimiter}${PATH}`;
      compiler(3);
      const cannotAttach = "this machine does not let a process attach to another";
      assert.deepEqual(await reasonsOf(native), {
        "bp-14": "hardware watchpoints do not fire on this machine",
        "bp-40": "hardware watchpoints do not fire on this machine",
        "attach-01": cannotAttach,
        "end-03": cannotAttach,
        "end-13": cannotAttach,
      });
      assert.deepEqual(await reasonsOf({ run: ["true"] }), {});
      compiler(0);
      assert.deepEqual(await reasonsOf(native), {});
    } finally {
      process.env["PATH"] = PATH;
    }
  }));

test("what the machine cannot exercise is not applicable, with the reason", async () => {
  const suite = await suiteWith({ run: ["true"] });
  const facts = {
    capabilities: { supportsDataBreakpoints: true },
    pace: new Pace(4_000),
    environment: { "bp-14": "not here", "end-08": "not here" },
  };
  for (const [name, skipped] of [
    ["data-breakpoint", "bp-14"],
    ["whole-run", "end-08"],
  ] as const) {
    const { verdicts } = await runCase(
      cases.find((each) => each.name === name)!,
      suite,
      facts,
    );
    assert.deepEqual(
      verdicts.filter(({ text }) => text === "not here"),
      [{ check: skipped, status: "not-applicable", case: name, text: "not here" }],
    );
  }
});
