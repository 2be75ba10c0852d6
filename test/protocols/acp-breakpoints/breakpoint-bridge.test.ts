import assert from "node:assert/strict";
import { test } from "node:test";
import type { DebugCapabilities, DebugSession } from "@wirewright/acp-breakpoints";
import {
  connect,
  inlineTransports,
  type RequestError,
} from "@wirewright/acp-breakpoints/connection";
import { isValidBreakpointState } from "@wirewright/acp-breakpoints/validators";
import { bridge } from "../../support/breakpoint-bridges.js";

const all: DebugCapabilities = {
  supportsConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsFunctionBreakpoints: true,
  supportsExceptionFilterOptions: true,
};

/** Creates a session that sets every requested breakpoint and logs the requests. */
function fakeSession(
  capabilities: DebugCapabilities = all,
): DebugSession & { readonly asked: [string, object][]; fail?: string } {
  let id = 100;
  const session = {
    capabilities,
    asked: [] as [string, object][],
    fail: undefined as string | undefined,
    request(command: string, args: object): Promise<unknown> {
      session.asked.push([command, args]);
      if (session.fail !== undefined) return Promise.reject(new Error(session.fail));
      const { breakpoints = [] } = args as { breakpoints?: readonly { line?: number }[] };
      return Promise.resolve({
        breakpoints: breakpoints.map(({ line }) => ({
          id: ++id,
          verified: true,
          ...(line === undefined ? {} : { line }),
        })),
      });
    },
  };
  return session as ReturnType<typeof fakeSession>;
}

const source = { path: "/w/a.ts" };

test("the bridge withholds disabled breakpoints, preserves ids, and sends all breakpoints to a new session", async () => {
  const { bridge: it, changed } = bridge();
  const asked = [{ line: 42 }, { line: 55, enabled: false }];
  const none = await it.setBreakpoints({ source, breakpoints: asked });
  assert.deepEqual(none.breakpoints, [
    { id: 1, verified: false, message: "There is no debug session", line: 42 },
    { id: 2, verified: false, message: "The breakpoint is kept but disabled", line: 55 },
  ]);
  const session = fakeSession();
  await it.attach(session);
  assert.deepEqual(session.asked, [["setBreakpoints", { source, breakpoints: [{ line: 42 }] }]]);
  assert.deepEqual(changed, [
    { reason: "changed", breakpoint: { id: 1, verified: true, line: 42 } },
  ]);
  const toggled = await it.setBreakpoints({
    source,
    breakpoints: [{ line: 42, enabled: false }, { line: 55, enabled: true }, { line: 60 }],
  });
  assert.deepEqual(toggled.breakpoints, [
    { id: 1, verified: false, message: "The breakpoint is kept but disabled", line: 42 },
    { id: 2, verified: true, line: 55 },
    { id: 3, verified: true, line: 60 },
  ]);
  assert.ok(toggled.breakpoints.every((state) => isValidBreakpointState(state)));
  assert.deepEqual((await it.setBreakpoints({ source, breakpoints: [] })).breakpoints, []);
  assert.deepEqual(session.asked.at(-1), ["setBreakpoints", { source, breakpoints: [] }]);
});

test("a condition or log message that a debugger does not support is reported, and its breakpoint is not sent", async () => {
  const { bridge: it } = bridge();
  const session = fakeSession({});
  await it.attach(session);
  const { breakpoints } = await it.setBreakpoints({
    source,
    breakpoints: [{ line: 1, condition: "x" }, { line: 2, logMessage: "{x}" }, { line: 3 }],
  });
  assert.deepEqual(breakpoints, [
    { id: 1, verified: false, message: "The debugger does not support conditions", line: 1 },
    { id: 2, verified: false, message: "The debugger does not support log messages", line: 2 },
    { id: 3, verified: true, line: 3 },
  ]);
  assert.deepEqual(session.asked, [["setBreakpoints", { source, breakpoints: [{ line: 3 }] }]]);
  const functions = await it.setFunctionBreakpoints({ breakpoints: [{ name: "f" }] });
  assert.deepEqual(functions.breakpoints, [
    { id: 4, verified: false, message: "The debugger does not support function breakpoints" },
  ]);
});

test("conditions, log messages, columns and functions reach a debugger that supports them", async () => {
  const { bridge: it } = bridge();
  const session = fakeSession();
  await it.attach(session);
  const breakpoints = [
    { line: 1, column: 4, condition: "x > 1" },
    { line: 2, logMessage: "x is {x}" },
  ];
  await it.setBreakpoints({ source, breakpoints });
  const functions = [{ name: "f" }, { name: "a::b", condition: "n > 3" }];
  await it.setFunctionBreakpoints({ breakpoints: functions });
  assert.deepEqual(session.asked, [
    ["setBreakpoints", { source, breakpoints }],
    ["setFunctionBreakpoints", { breakpoints: functions }],
  ]);
});

test("a breakpoint is verified while at least one session has set it", async () => {
  const { bridge: it, changed } = bridge();
  const [good, bad] = [fakeSession(), fakeSession()];
  bad.fail = "no such file there";
  await it.attach(good);
  await it.attach(bad);
  const { breakpoints } = await it.setBreakpoints({ source, breakpoints: [{ line: 7 }] });
  assert.deepEqual(breakpoints, [{ id: 1, verified: true, line: 7 }]);
  it.detach(good);
  assert.deepEqual(changed, [
    {
      reason: "changed",
      breakpoint: { id: 1, verified: false, message: "no such file there", line: 7 },
    },
  ]);
});

test("the adapter's breakpoint events reach the agent with the bridge's ids", async () => {
  const { bridge: it, changed } = bridge();
  const session = fakeSession();
  await it.attach(session);
  await it.setBreakpoints({ source, breakpoints: [{ line: 7 }] });
  await it.handleBreakpointEvent(session, {
    reason: "changed",
    breakpoint: { id: 101, verified: true, line: 9 },
  });
  await it.handleBreakpointEvent(session, {
    reason: "new",
    breakpoint: { id: 500, verified: true },
  });
  await it.handleBreakpointEvent(session, {
    reason: "changed",
    breakpoint: { id: 999, verified: true },
  });
  await it.handleBreakpointEvent(fakeSession(), { reason: "new", breakpoint: { verified: true } });
  assert.deepEqual(changed, [
    { reason: "changed", breakpoint: { id: 1, verified: true, line: 9 } },
    { reason: "new", breakpoint: { id: 2, verified: true } },
  ]);
  // A later session receives the requested line rather than the one that the adapter reported.
  const later = fakeSession();
  await it.attach(later);
  assert.deepEqual(later.asked, [["setBreakpoints", { source, breakpoints: [{ line: 7 }] }]]);
});

test("the bridge preserves the user's breakpoints and sends requests to a session in order", async () => {
  const { bridge: it } = bridge({ userBreakpoints: () => [{ line: 99 }] });
  const session = fakeSession();
  await it.attach(session);
  await Promise.all([
    it.setBreakpoints({ source, breakpoints: [{ line: 1 }] }),
    it.setBreakpoints({ source, breakpoints: [{ line: 2 }] }),
  ]);
  assert.deepEqual(session.asked.at(-1), [
    "setBreakpoints",
    { source, breakpoints: [{ line: 2 }, { line: 99 }] },
  ]);
});

test("the bridge sends only known exception filters, and sends conditions only to debuggers that support them", async () => {
  const exceptionFilters = [
    { filter: "uncaught", label: "Uncaught" },
    { filter: "caught", label: "Caught", supportsCondition: true },
  ];
  const { bridge: it } = bridge({ exceptionFilters });
  const session = fakeSession({});
  await it.attach(session);
  await it.setExceptionBreakpoints({
    filters: ["uncaught"],
    filterOptions: [{ filterId: "caught" }],
  });
  assert.deepEqual(session.asked, [
    ["setExceptionBreakpoints", { filters: ["uncaught", "caught"] }],
  ]);
  const refused = (
    params: Parameters<typeof it.setExceptionBreakpoints>[0],
    message: string,
  ): Promise<void> =>
    assert.rejects(it.setExceptionBreakpoints(params), { error: { code: -32602 }, message });
  await refused({ filters: ["nope"] }, 'Unknown exception filter "nope"');
  const conditional = { filters: [], filterOptions: [{ filterId: "caught", condition: "x" }] };
  await refused(conditional, 'The exception filter "caught" does not support conditions');
  it.detach(session);
  const able = fakeSession();
  await it.attach(able);
  await it.setExceptionBreakpoints(conditional);
  assert.deepEqual(able.asked.at(-1), ["setExceptionBreakpoints", conditional]);
});

test("the bridge refuses invalid requests with error codes", async () => {
  const { bridge: it } = bridge({
    isAllowed: (path) => path.startsWith("/w/"),
    exists: (path) => path !== "/w/gone.ts",
    functionBreakpoints: false,
  });
  const refused = (path: string, line: number, code: number): Promise<void> =>
    assert.rejects(it.setBreakpoints({ source: { path }, breakpoints: [{ line }] }), {
      error: { code },
    });
  await refused("a.ts", 1, -32602);
  await refused("/etc/passwd", 1, -32602);
  await refused("/w/gone.ts", 1, -32002);
  await refused("/w/a.ts", 0, -32602);
  await refused("/w/a.ts", 1.5, -32602);
  await assert.rejects(it.setFunctionBreakpoints({ breakpoints: [] }), { error: { code: -32601 } });
  await assert.rejects(it.setExceptionBreakpoints({ filters: [] }), { error: { code: -32601 } });
});

test("a changed breakpoint loses its previous message, and a removed breakpoint gets a message", async () => {
  const { bridge: it, changed } = bridge();
  const late = { id: 7, verified: false, message: "Source not compiled" };
  const session: DebugSession = {
    capabilities: all,
    request: () => Promise.resolve({ breakpoints: [late] }),
  };
  await it.attach(session);
  const { breakpoints } = await it.setBreakpoints({ source, breakpoints: [{ line: 5 }] });
  assert.deepEqual(breakpoints, [
    { id: 1, verified: false, message: "Source not compiled", line: 5 },
  ]);
  for (const reason of ["changed", "removed"])
    await it.handleBreakpointEvent(session, { reason, breakpoint: { id: 7, verified: true } });
  assert.deepEqual(changed, [
    { reason: "changed", breakpoint: { id: 1, verified: true, line: 5 } },
    {
      reason: "removed",
      breakpoint: {
        id: 1,
        verified: false,
        message: "The debugger removed the breakpoint",
        line: 5,
      },
    },
  ]);
});

test("exception breakpoints that no session accepts are refused, and the previous ones are kept", async () => {
  const exceptionFilters = [{ filter: "uncaught", label: "Uncaught" }];
  const { bridge: it } = bridge({ exceptionFilters });
  const answers: (() => Promise<unknown>)[] = [
    () => Promise.resolve({}),
    () => Promise.reject(new Error("not while it runs")),
    () => Promise.resolve({ breakpoints: [{ verified: false, message: "no such exception" }] }),
  ];
  const session: DebugSession = { capabilities: all, request: () => answers.shift()!() };
  await it.attach(session);
  assert.deepEqual(await it.setExceptionBreakpoints({ filters: ["uncaught"] }), {});
  for (const message of ["not while it runs", "no such exception"])
    await assert.rejects(it.setExceptionBreakpoints({ filters: [] }), {
      error: { code: -32000 },
      message,
    });
  const later = fakeSession();
  await it.attach(later);
  assert.deepEqual(later.asked, [
    ["setExceptionBreakpoints", { filters: ["uncaught"], filterOptions: [] }],
  ]);
  // The request succeeds if at least one session accepts the breakpoints.
  answers.push(() => Promise.reject(new Error("no")));
  assert.deepEqual(await it.setExceptionBreakpoints({ filters: [] }), {});
});

test("a bridge error in a handler reaches the agent with its error code", async () => {
  const { bridge: it } = bridge({ functionBreakpoints: false });
  const [one, other] = inlineTransports();
  const editor = connect("client", one, {
    handlers: {
      setBreakpoints: (params) => it.setBreakpoints(params),
      setFunctionBreakpoints: (params) => it.setFunctionBreakpoints(params),
    },
  });
  const asking = connect("agent", other);
  const wrong = { source: { path: "a.ts" }, breakpoints: [{ line: 1 }] };
  const codes = await Promise.all(
    [
      asking.request("setBreakpoints", wrong),
      asking.request("setFunctionBreakpoints", { breakpoints: [] }),
    ].map((each) => each.catch((error: RequestError) => error.response?.error.code)),
  );
  assert.deepEqual(codes, [-32602, -32601]);
  await Promise.all([editor.close(), asking.close()]);
});
