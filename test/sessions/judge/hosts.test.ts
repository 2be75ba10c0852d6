import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readProtocol, readRecording } from "../../../cli/index.js";
import { readHost } from "../../../sessions/judge/host-table.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";
import { testCases } from "../../support/case-list.js";
import { writtenSession } from "../../support/written-messages.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { shared, skipWithout } from "../../support/paths.js";
import { runCommand, type Outcome } from "../../support/run-command.js";
import { findingsOf } from "../../support/judged-entries.js";

const dap = await readProtocol("dap");
const host = await readHost("visual-studio", "dap");

/**
 * Returns the host rules that a session violates, each with the location. If `only` is given,
 * returns only that rule's findings.
 */
function found(entries: readonly RecordedEntry[], only?: string): readonly string[] {
  return findingsOf(dap, entries, { rules: "none", host, isFromStart: true }).flatMap(
    ({ rule, outcome, pointer }) =>
      outcome === undefined || (only !== undefined && rule !== only)
        ? []
        : [`${rule} ${outcome} ${pointer}`.trimEnd()],
  );
}

/**
 * Parses messages in the notation used by the tests below: `E stopped {…}`, `R threads ✗ {…}` and
 * `Q initialize {…}`. `A` is the response to the preceding `Q`.
 */
function messages(text: string): readonly RecordedEntry[] {
  let seq = 0;
  return text.split(" · ").flatMap((each): RecordedEntry[] => {
    const [, kind, name, failed, json] = /^([ERQA]) (\S+)( ✗)? (.*)$/.exec(each)!;
    const body = JSON.parse(json!) as object;
    seq++;
    const isReverse = name === "runInTerminal" || name === "startDebugging";
    if (kind === "E")
      return [{ from: "adapter", message: { seq, type: "event", event: name, body } }];
    const command = name!;
    const asked = { seq, type: "request", command, ...(kind === "Q" ? { arguments: body } : {}) };
    if (kind === "Q") return [{ from: isReverse ? "adapter" : "client", message: asked }];
    if (kind === "A") {
      const own = { seq, type: "response", request_seq: seq - 1, command, success: false, body };
      return [{ from: "client", message: own }];
    }
    const success = failed === undefined;
    // The command in the response differs in case from that in the request.
    const own = { ...asked, command: command[0]!.toLowerCase() + command.slice(1) };
    return [
      { from: "client", message: own },
      {
        from: "adapter",
        message: { seq, type: "response", request_seq: seq, command, success, body },
      },
    ];
  });
}

const prelude =
  'E thread {"reason":"started","threadId":1} · E module {"reason":"new","module":{"id":1,"name":"a"}} · E module {"reason":"new","module":{"id":"m1","name":"m"}}';

testCases("test/cases/visual-studio.md", "lint --host reports what Visual Studio does", (input) =>
  found(messages(input.replace("…", prelude))),
);

test("a slow response is reported if the recording contains times", () => {
  const [asked, answered] = messages("R pause {}");
  assert.deepEqual(
    found([
      { ...asked!, time: 0 },
      { ...answered!, time: 1_001 },
    ]),
    ["VS-X5 warning"],
  );
  assert.deepEqual(
    found([
      { ...asked!, time: 0 },
      { ...messages('E output {"output":"x"}')[0]!, time: 1_001 },
    ]),
    ["VS-X5 warning"],
  );
  assert.deepEqual(
    found([
      { ...asked!, time: 0 },
      { ...answered!, time: 900 },
    ]),
    [],
  );
});

test(
  "the host table contains every known rule for the host, and each rule detects its example",
  { skip: skipWithout("facts/protocols.md") },
  () => {
    const page = readFileSync(shared("facts/protocols.md")!, "utf8");
    const rows = [...page.matchAll(/^\| (VS-[A-Z]+\d+) \|(.*)\|$/gm)].map(([, id, rest]) => {
      const cells = rest!.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return { id: id!, pass: cells.at(-2)!, fail: cells.at(-1)! };
    });
    assert.equal(rows.length, 66);
    assert.deepEqual(
      rows.map(({ id }) => id).sort(),
      [...new Set(host.rules.map(({ id }) => id)), ...Object.keys(host.undecidable ?? {})].sort(),
    );
    let tried = 0;
    for (const { id, pass, fail } of rows) {
      // The example for VS-G6 does not show the value that was set, so VS-G6 has a separate test.
      if (id === "VS-G6" || Object.hasOwn(host.undecidable ?? {}, id)) continue;
      const before = id === "VS-G4" ? "R disconnect {}" : prelude;
      const entries = (cell: string): readonly RecordedEntry[] | undefined => {
        const code = /`(.*)`/.exec(cell)?.[1];
        if (code === undefined) return undefined;
        return messages(cell.startsWith("…") ? `${before} · ${code}` : code);
      };
      const [good, bad] = [entries(pass), entries(fail)];
      if (good !== undefined) assert.deepEqual(found(good, id), [], `${id} ${pass}`);
      if (bad === undefined) continue;
      tried++;
      assert.ok(found(bad, id).length > 0, `${id} ${fail}`);
    }
    assert.ok(tried > 55, String(tried));
  },
);

const x = (value: string): string => `{"name":"x","value":"${value}","variablesReference":0}`;
const set = `run {"supportsSetVariable":true}
> stackTrace {"threadId":1}
< stackTrace {"stackFrames":[{"id":1,"name":"f","line":0,"column":0}]}
> scopes {"frameId":1}
< scopes {"scopes":[{"name":"L","variablesReference":1,"expensive":false}]}
> setVariable {"variablesReference":1,"name":"x","value":"1+1"}
< setVariable {"value":"2"}`;
const read = (variables: string, more = ""): string =>
  `> variables {"variablesReference":1${more}}\n< variables {"variables":[${variables}]}`;

test("lint reports a variable whose value is not the one that was set", () => {
  const judged = (...parts: readonly string[]): readonly string[] =>
    found(writtenSession([set, ...parts].join("\n")), "VS-G6");
  const wrong = ["VS-G6 host /body/variables/1/value"];
  const y = '{"name":"y","value":"9","variablesReference":0}';
  assert.deepEqual(judged(read(`${y},${x("1")}`)), wrong);
  assert.deepEqual(judged("> threads", '< threads {"threads":[]}', read(`${y},${x("1")}`)), wrong);
  assert.deepEqual(judged(read(`${y},${x("2")}`)), []);
  // VS-G6 reports nothing if the container or the format differs, or if the name belongs to no
  // variable or to several.
  assert.deepEqual(judged(read(x("1")).replace('Reference":1', 'Reference":7')), []);
  assert.deepEqual(judged(read(x("0x2"), ',"format":{"hex":true}')), []);
  assert.deepEqual(judged(read(`${x("1")},${x("2")}`)), []);
  assert.deepEqual(judged(read(y)), []);
  // A message between setting and reading the variable may have changed its value.
  for (const between of [
    ['> evaluate {"expression":"x=1"}', '< evaluate {"result":"1","variablesReference":0}'],
    ['> setVariable {"variablesReference":1,"name":"y","value":"1"}', "x setVariable"],
    ['> next {"threadId":1}', "< next", '! stopped {"reason":"step","threadId":1}'],
    ['! invalidated {"areas":["variables"]}'],
  ])
    assert.deepEqual(judged(...between, read(x("1"))), [], between[0]);
});

test("a header that makes Visual Studio wait forever is detected from the bytes", () => {
  const body = '{"seq":1,"type":"event","event":"initialized"}';
  const judged = (header: string): readonly string[] =>
    found(
      readRecording([{ name: "a", bytes: Buffer.from(header.replace("N", "46") + body) }], dap),
      "VS-X1",
    );
  for (const header of [
    "content-length: N\r\n\r\n",
    "Content-Length:N\r\n\r\n",
    "Content-Length:  N\r\n\r\n",
    "Content-Length : N\r\n\r\n",
    "Content-Length: N\n\n",
    "Content-Length: N\r\nContent-Type: a\r\n\r\n",
  ])
    assert.deepEqual(judged(header), ["VS-X1 terminates"], header);
  for (const header of [
    "Content-Length: N\r\n\r\n",
    "Content-Type: a\r\nContent-Length: N\r\n\r\n",
    "\r\nContent-Length: N\r\n\r\n",
  ])
    assert.deepEqual(judged(header), [], header);
});

test("lint --host judges a session for a host and refuses an unknown host", async () => {
  await withFolder((folder) => {
    const file = join(folder, "a.jsonl");
    writeFiles(folder, {
      "a.jsonl": '{"seq":1,"type":"event","event":"exited","body":{"exitCode":4294967295}}\n',
      "mine.json": JSON.stringify({
        name: "mine",
        title: "Mine",
        outcomes: { dies: { severity: "error", docs: "It dies." } },
        rules: [{ id: "MY-A1", outcome: "dies", docs: "An exit.", message: "event exited" }],
      }),
      "wrong.json": JSON.stringify({
        name: "mine",
        title: "Mine",
        outcomes: {},
        rules: [{ id: "MY-A1", outcome: "dies", docs: "x" }],
      }),
    });
    const run = (...args: readonly string[]): Outcome =>
      runCommand(folder, ["lint", file, ...args]);
    const { status, stdout } = run("--host", "visual-studio", "--severity", "opening.early=off");
    assert.equal(status, 1);
    assert.match(
      stdout,
      /\nerror +VS-G7 +#1 adapter: event exited \/body\/exitCode\n {2}A number does not fit into a signed 32-bit integer\. Visual Studio ends the session\.\n/,
    );
    assert.match(
      run("--host", join(folder, "mine.json")).stdout,
      /MY-A1 .*\n {2}An exit\. It dies\.\n/,
    );
    assert.match(
      run("--host", "visual-studoi").stderr,
      /^Cannot find the host "visual-studoi" \[ERR_ARGUMENT\]\n {2}Did you mean "visual-studio"\?/,
    );
    assert.match(
      run("--host", join(folder, "wrong.json")).stderr,
      /\/rules\/0\/outcome: Cannot find the outcome "dies" named by MY-A1 \[ERR_DESCRIPTION\]/,
    );
  });
});
