import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as dap from "@wirewright/dap";
import {
  classify,
  events,
  isErrorResponse,
  isEvent,
  isRequest,
  isResponse,
  mergeCapabilities,
  protocol,
  protocolVersion,
  requests,
  supports,
} from "@wirewright/dap";
import { eventsOf, readProtocol, requestsOf } from "../../../cli/index.js";
import { ticker } from "../../support/ticker.js";
import { newestDap } from "../../support/dap-versions.js";
import { recordedSessions } from "../../support/recorded-sessions.js";

/** Passes a message the way an untyped program would. */
const untyped = (message: object): never => message as never;

test("isRequest(), isEvent() and isResponse() check only the kind and name", () => {
  assert.equal(
    isRequest(untyped({ type: "request", command: "setBreakpoints" }), "setBreakpoints"),
    true,
  );
  assert.equal(isRequest(untyped({ type: "request", command: "setBreakpoints" })), true);
  assert.equal(isRequest(untyped({ type: "request", command: "next" }), "setBreakpoints"), false);
  assert.equal(isRequest(untyped({ type: "event", command: "next" }), "next"), false);
  assert.equal(isRequest(untyped({ type: "request" })), false);
  assert.equal(isRequest(untyped({ type: "request", command: "vendor/x" }), "vendor/x"), true);
  assert.equal(isEvent(untyped({ type: "event", event: "stopped" }), "stopped"), true);
  assert.equal(isEvent(untyped({ type: "responce", event: "stopped" }), "stopped"), false);
  assert.equal(
    isResponse(untyped({ type: "response", command: "stackTrace" }), "stackTrace"),
    true,
  );
  assert.equal(isErrorResponse(untyped({ type: "response", success: false })), true);
  assert.equal(isErrorResponse(untyped({ type: "response", success: true })), false);
});

test("each message has exactly one guard", () => {
  const guards = Object.entries(dap).filter(
    ([name, value]) =>
      /^is(?!Valid)[A-Z].*(Request|Response|Event)$/.test(name) && typeof value === "function",
  );
  // Each request, response and event has one guard. The only additional guard is isErrorResponse.
  const [asked, told] = [requests, events].map((each) => Object.keys(each).length);
  assert.equal(guards.length, asked! * 2 + told! + 1);
  for (const name of Object.keys(requests)) {
    const stem = name[0]!.toUpperCase() + name.slice(1);
    const guard = (suffix: string) =>
      (dap as unknown as Record<string, (value: unknown) => boolean>)[`is${stem}${suffix}`]!;
    assert.equal(guard("Request")({ type: "request", command: name }), true, name);
    assert.equal(guard("Response")({ type: "response", command: name }), true, name);
    assert.equal(guard("Request")({ type: "response", command: name }), false, name);
  }
});

test("the requests that adapters send are the specification's reverse requests", () => {
  const reverse = Object.values(requests).filter(({ sender }) => sender !== "client");
  assert.deepEqual(
    reverse.map(({ name, sender }) => `${name} ${sender}`),
    ["runInTerminal adapter", "startDebugging adapter"],
  );
});

const throwing = new Proxy(
  {},
  {
    get() {
      throw new Error("no");
    },
  },
);
const hostile: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  NaN,
  1n,
  "",
  "request",
  Symbol("x"),
  () => undefined,
  [],
  {},
  new Map(),
  throwing,
  Object.create(null),
  { type: throwing },
  { type: "request", command: throwing },
  { type: "request", command: 1 },
  {
    get type() {
      throw new Error("no");
    },
  },
];

test("guards and classify() never throw, whatever value they are given", () => {
  const guards = Object.entries(dap).filter(
    ([name, value]) => /^is(?!Valid)[A-Z]/.test(name) && typeof value === "function",
  ) as [string, (value: unknown) => boolean][];
  for (const value of hostile) {
    for (const [name, guard] of guards) assert.equal(guard(value), false, name);
    assert.equal(classify(value).status, "malformed");
    assert.equal(ticker.classify(value).status, "malformed");
  }
});

test("classify() returns known, custom or malformed", () => {
  const stopped = { type: "event", event: "stopped", body: { reason: "step" } };
  assert.deepEqual(classify(stopped), {
    status: "known",
    kind: "event",
    name: "stopped",
    message: stopped,
  });
  const mine = { type: "request", command: "vendor/mine" };
  assert.deepEqual(classify(mine), {
    status: "custom",
    kind: "request",
    name: "vendor/mine",
    message: mine,
  });
  const answer = { type: "response", command: "next", success: true, request_seq: 1 };
  assert.deepEqual(classify(answer), {
    status: "known",
    kind: "response",
    name: "next",
    message: answer,
  });
  assert.deepEqual(classify([1]), {
    status: "malformed",
    code: "ERR_NOT_OBJECT",
    reason: "a message must be an object",
    value: [1],
  });
  const kind = { type: "responce" };
  assert.deepEqual(classify(kind), {
    status: "malformed",
    code: "ERR_KIND",
    reason: 'a message must be one of: type "request", type "event", type "response"',
    value: kind,
  });
  const nameless = { type: "event", event: 5 };
  assert.deepEqual(classify(nameless), {
    status: "malformed",
    code: "ERR_NAME",
    reason: "the event of a message must be a string",
    value: nameless,
  });
});

test("classify() treats names such as __proto__ as custom", () => {
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    assert.equal(classify({ type: "request", command: name }).status, "custom", name);
    assert.equal(supports({}, name as "next"), false, name);
  }
});

test("classify() determines the kind of a JSON-RPC message from its fields", () => {
  const kindOf = (value: unknown) => {
    const classified = ticker.classify(value);
    return classified.status === "malformed"
      ? classified.code
      : `${classified.status} ${classified.kind}`;
  };
  assert.equal(kindOf({ jsonrpc: "2.0", id: 1, method: "ticker/start" }), "known request");
  assert.equal(kindOf({ jsonrpc: "2.0", method: "ticker/tick" }), "known notification");
  assert.equal(kindOf({ jsonrpc: "2.0", method: "ticker/start" }), "custom notification");
  assert.equal(kindOf({ jsonrpc: "2.0", id: 1, result: null }), "known response");
  assert.equal(kindOf({ jsonrpc: "2.0" }), "ERR_KIND");
  assert.equal(
    ticker.isErrorResponse({ jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } }),
    true,
  );
  assert.equal(ticker.isResponse(untyped({ jsonrpc: "2.0", id: 1, method: "x" })), false);
});

test("the request and event tables describe each message", async () => {
  assert.deepEqual(requests.stepBack, {
    name: "stepBack",
    sender: "client",
    direction: "client-to-adapter",
    capability: "supportsStepBack",
    payload: "required",
    result: "none",
  });
  assert.deepEqual(requests.cancel.payload, "optional");
  assert.deepEqual(requests.threads.payload, "none");
  assert.deepEqual(events.memory, {
    name: "memory",
    sender: "adapter",
    direction: "adapter-to-client",
    capability: "supportsMemoryEvent",
    payload: "required",
  });
  const model = await readProtocol("dap");
  assert.deepEqual(
    [Object.keys(requests), Object.keys(events)],
    [requestsOf(model), eventsOf(model)].map((each) => each.map(({ name }) => name)),
  );
});

test("supports() accepts true flags and non-empty arrays", () => {
  assert.equal(supports({ supportsGotoTargetsRequest: true }, "goto"), true);
  assert.equal(supports({ supportsGotoTargetsRequest: false }, "goto"), false);
  assert.equal(supports({}, "goto"), false);
  assert.equal(supports(undefined, "goto"), false);
  assert.equal(supports(undefined, "next"), true);
  assert.equal(supports({ exceptionBreakpointFilters: [] }, "setExceptionBreakpoints"), false);
  assert.equal(
    supports(
      { exceptionBreakpointFilters: [{ filter: "all", label: "All" }] },
      "setExceptionBreakpoints",
    ),
    true,
  );
  assert.equal(supports({ adapterID: "x", supportsMemoryEvent: true }, "memory"), true);
  assert.equal(supports({ supportsGotoTargetsRequest: "yes" } as object, "goto"), false);
  assert.equal(
    supports(Object.create({ supportsGotoTargetsRequest: true }) as object, "goto"),
    false,
  );
});

test("mergeCapabilities() changes the given capabilities without modifying its inputs", () => {
  const before = { supportsStepBack: true, supportsLogPoints: true };
  assert.deepEqual(
    mergeCapabilities(before, { supportsStepBack: false, supportsSetVariable: true }),
    { supportsStepBack: false, supportsLogPoints: true, supportsSetVariable: true },
  );
  assert.deepEqual(before, { supportsStepBack: true, supportsLogPoints: true });
  assert.deepEqual(mergeCapabilities(undefined, { supportsStepBack: true }), {
    supportsStepBack: true,
  });
  const merged = mergeCapabilities(
    {},
    JSON.parse('{"__proto__": {"supportsStepBack": true}}') as dap.Capabilities,
  );
  assert.equal(Object.getPrototypeOf(merged), Object.prototype);
});

test("the package exports the protocol as a value", () => {
  assert.equal(protocolVersion, newestDap);
  assert.deepEqual(protocol.envelope.request, {
    when: { type: "request" },
    name: "command",
    payload: "arguments",
  });
  assert.deepEqual(protocol.framing, { client: "content-length", adapter: "content-length" });
  assert.deepEqual(ticker.protocol.dialects, {
    silent: { docs: "The clock never answers what it does not know.", reads: [], writes: [] },
  });
  assert.deepEqual(ticker.protocol.envelope.response, {
    when: { method: false, id: true },
    result: "result",
    error: "error",
  });
});

/** Deviations from the specification in a recorded adapter's messages. */
const customNames: Readonly<Record<string, readonly string[]>> = {
  "official-adapter": ["vendor/unknown"],
  "example-adapter": ["vendor/unknown"],
  "mock-debug-crash": ["bogusCommand"],
};

for (const { name, folder } of recordedSessions) {
  test(`classify() recognises the messages from ${name}`, () => {
    const body = readFileSync(join(folder, "in.bin"));
    const unknown = new Set<string>();
    let count = 0;
    for (let at = 0; at < body.length;) {
      const header = body.indexOf("\r\n\r\n", at);
      const length = Number(
        /Content-Length: (\d+)$/.exec(body.subarray(at, header).toString())?.[1],
      );
      if (header < 0 || Number.isNaN(length) || header + 4 + length > body.length) break;
      count++;
      const classified = classify(
        JSON.parse(body.subarray(header + 4, header + 4 + length).toString()),
      );
      assert.notEqual(classified.status, "malformed");
      if (classified.status === "custom") unknown.add(classified.name);
      at = header + 4 + length;
    }
    assert.ok(count > 20, `${count} messages`);
    assert.deepEqual([...unknown].sort(), customNames[name] ?? []);
  });
}
