import assert from "node:assert/strict";
import { test } from "node:test";
import { openProtocol } from "../../../cli/index.js";
import { readHost } from "../../../sessions/judge/host-table.js";
import { fromRoot } from "../../support/paths.js";
import { runCommand } from "../../support/run-command.js";
import { writtenMessages } from "../../support/written-messages.js";
import { findingsOf } from "../../support/judged-entries.js";

const dap = await openProtocol("dap");
const host = await readHost("visual-studio", "dap");

function found(text: string): readonly string[] {
  return findingsOf(dap, writtenMessages(text, dap), { host, isFromStart: true }).flatMap(
    ({ rule, outcome }) => (outcome === undefined ? [] : [rule]),
  );
}

test("--explain accepts host rule ids, with and without --host", () => {
  for (const more of [[], ["--host", "visual-studio"]]) {
    const { status, stdout } = runCommand(fromRoot("."), ["lint", "--explain", "VS-G5", ...more]);
    assert.equal(status, 0);
    assert.match(stdout, /^VS-G5 \(warning\)\n\nA single thread continues or stops/);
  }
  assert.equal(runCommand(fromRoot("."), ["lint", "--explain", "VS-G99"]).status, 2);
});

test("a violation that the host ignores is reported only for the first message", () => {
  const scopes =
    '> scopes {"frameId":1}\n< scopes {"scopes":[{"name":"L","variablesReference":1,"expensive":true}]}\n';
  assert.deepEqual(
    found(scopes + scopes).filter((rule) => rule === "VS-SC3"),
    ["VS-SC3"],
  );
});

test("a cancelled request or a failed evaluation is not reported as ending the session", () => {
  const failing = (name: string): readonly string[] =>
    found(`> ${name}\nx ${name}`).filter((rule) => rule === "VS-G3");
  assert.deepEqual(failing("next"), ["VS-G3"]);
  for (const name of [
    "cancel",
    "completions",
    "evaluate",
    "setExpression",
    "setVariable",
    "source",
  ])
    assert.deepEqual(failing(name), [], name);
});
