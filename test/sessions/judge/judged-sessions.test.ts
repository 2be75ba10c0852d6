import assert from "node:assert/strict";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import { readSessionRules } from "../../../sessions/judge/session-rules.js";
import { LintSession } from "../../../sessions/judge/lint-session.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";
import {
  entry,
  ask,
  answer,
  tell,
  judged,
  short,
  judgedLines,
  recorded,
} from "../../support/judged-entries.js";

test("lint reports a reference that is used after the program has resumed and stopped again", () => {
  const opened = [ask(1, "initialize", { adapterID: "a" }), answer(1, 1, "initialize")];
  let seq = 1;
  const stop = (): RecordedEntry => tell(++seq, "stopped", { reason: "step", threadId: 1 });
  const both = (command: string, args: object, body?: object): readonly RecordedEntry[] => {
    const own = ++seq;
    return [ask(own, command, args), answer(own, own, command, body === undefined ? {} : { body })];
  };
  const given = (id: unknown): readonly RecordedEntry[] =>
    both("stackTrace", { threadId: 1 }, { stackFrames: [{ id, name: "f", line: 1, column: 1 }] });
  const used = (frameId: unknown): readonly RecordedEntry[] =>
    both("scopes", { frameId }, { scopes: [] });
  const next = (): readonly RecordedEntry[] => both("next", { threadId: 1 });
  const found = (entries: readonly RecordedEntry[], remembered = 10): readonly string[] =>
    judged([...opened, ...entries], { remembered })
      .findings.filter(({ rule }) => rule === "reference.expired")
      .map(({ index, pointer, message }) => `#${index} ${pointer} ${message}`);
  const expired = (index: number, id: unknown): string =>
    `#${index} /arguments/frameId The adapter returned ${String(id)} before the program continued`;
  assert.deepEqual(found([stop(), ...given(7), ...used(7), stop(), ...used(7)]), []);
  assert.deepEqual(found([stop(), ...given(7), ...next(), ...used(7), stop(), ...used(7)]), [
    expired(8, 7),
    expired(11, 7),
  ]);
  // Only the first stop after resuming counts. A reference that the adapter returns again counts as
  // new.
  assert.deepEqual(
    found([
      stop(),
      ...next(),
      stop(),
      ...given(7),
      stop(),
      ...used(7),
      ...next(),
      stop(),
      ...given(7),
      ...used(7),
    ]),
    [],
  );
  assert.deepEqual(found([stop(), ...next(), stop(), ...used(7), ...used({})]), []);
  assert.deepEqual(found([stop(), ...given("a"), ...next(), stop(), ...used("a")]), [
    expired(9, "a"),
  ]);
  assert.deepEqual(
    found(
      [stop(), ...given(7), ...[8, 9, 10, 11].flatMap(given), ...next(), stop(), ...used(7)],
      1,
    ),
    [],
  );
});

test("a JSON-RPC session is judged by its protocol's rules", async () => {
  const acp = await readProtocol("acp-breakpoints");
  const entryOf = (from: string, fields: object): RecordedEntry =>
    entry(from, { jsonrpc: "2.0", ...fields });
  const findings: string[] = [];
  const labels: string[] = [];
  const session = new LintSession(acp, {
    rules: "none",
    onFinding: (finding) => void findings.push(short(finding)),
    onMessage: ({ label, hasFailed }) => void labels.push(`${label} ${hasFailed}`),
  });
  for (const each of [
    entryOf("client", { id: 0, method: "initialize", params: { protocolVersion: 1 } }),
    entryOf("agent", { id: 0, result: { protocolVersion: 1 } }),
    entryOf("client", { id: "a", method: "session/close", params: { sessionId: "s" } }),
    entryOf("agent", {
      id: 0,
      method: "fs/read_text_file",
      params: { sessionId: "s", path: "/a" },
    }),
    entryOf("client", { id: 0, error: { code: 1, message: "no" } }),
    entryOf("agent", { id: "a" }),
    entryOf("agent", { method: "session/update", params: { sessionId: 7 } }),
    entryOf("agent", { id: 8, result: {} }),
    entryOf("client", { method: "mine" }),
    entryOf("agent", {}),
  ])
    session.push(each);
  session.end();
  assert.deepEqual(labels, [
    "request 0 initialize false",
    "response 0 initialize false",
    "request a session/close false",
    "request 0 fs/read_text_file false",
    "response 0 fs/read_text_file true",
    "response a session/close false",
    "event session/update false",
    "response 8 false",
    "event mine false",
    "message false",
  ]);
  assert.deepEqual(findings, [
    'schema.deviation #6 /result expected an object, received nothing; readers that tolerate "success-body" accept the message, but other readers reject it',
    "schema.issue #7 /params/sessionId expected a string, received 7",
    "schema.issue #7 /params/update expected an object, received nothing",
    "response.unmatched #8 /id There is no request with the id 8",
    "message.custom #9 /method The protocol does not define this message",
    "message.kind #10  The message is not a request, an event or a response",
  ]);
});

test("without configurationDone, setExceptionBreakpoints ends the configuration even if the adapter has no filters", async () => {
  const rules = await readSessionRules("dap");
  const session = (body: object): readonly object[] => [
    recorded(1, ask(1, "initialize", { adapterID: "a" })),
    recorded(1, answer(1, 1, "initialize", { body })),
    recorded(1, tell(2, "initialized")),
    recorded(1, ask(2, "setExceptionBreakpoints", { filters: [] })),
    recorded(1, answer(3, 2, "setExceptionBreakpoints")),
  ];
  for (const [body, found] of [
    [{}, []],
    [{ supportsConfigurationDoneRequest: false, exceptionBreakpointFilters: [] }, []],
    [{ supportsConfigurationDoneRequest: true }, ["request.capability"]],
  ] as const) {
    const { findings } = await judgedLines(session(body), { rules });
    const all = findings.map(({ rule }) => rule);
    assert.deepEqual(
      all.filter((rule) => rule === "request.capability"),
      found,
    );
  }
});

test("sessions are judged separately, and if there are too many, the one that has been silent longest ends", async () => {
  const lines = [1, 2].flatMap((session) => [
    recorded(session, ask(1, "initialize", { adapterID: "a" })),
  ]);
  lines.push(recorded(1, answer(1, 1, "initialize")), recorded(2, answer(1, 1, "initialize")));
  assert.deepEqual((await judgedLines(lines)).findings, []);
  // The first session sends another message, so it is the second one that ends.
  const first = recorded(1, ask(1, "initialize", { adapterID: "a" }));
  const others = Array.from({ length: 99 }, (_, at) =>
    recorded(at + 2, ask(1, "initialize", { adapterID: "a" })),
  );
  const sessions = await judgedLines([
    first,
    ...others,
    recorded(1, answer(1, 1, "initialize")),
    recorded(101, ask(1, "initialize", { adapterID: "a" })),
    recorded(3, answer(1, 1, "initialize")),
    recorded(2, answer(1, 1, "initialize")),
  ]);
  assert.deepEqual(sessions.findings, []);
  // The second session has already ended, so its later messages count as a session that begins with
  // a response.
  assert.deepEqual(
    sessions.unjudged?.filter(({ rule }) => rule === "response.unmatched"),
    [{ rule: "response.unmatched", gap: "start", count: 1 }],
  );
});
