import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as dap from "@wirewright/dap";
import {
  classify,
  events,
  mergeCapabilities,
  protocol,
  protocolVersion,
  requests,
  supports,
} from "@wirewright/dap";
import { eventsOf, readProtocol, requestsOf } from "../../../cli/index.js";
import { readInput, testCases } from "../../support/case-list.js";
import { ticker } from "../../support/ticker.js";
import { newestDap } from "../../support/dap-versions.js";
import { recordedSessions } from "../../support/recorded-sessions.js";

/** Returns how ticker's package classifies a value. */
function kindOf(value: unknown): string {
  const classified = ticker.classify(value);
  return classified.status === "malformed"
    ? classified.code
    : `${classified.status} ${classified.kind}`;
}

testCases("test/cases/generated-functions.md", "generated functions return", (input) =>
  readInput(input, { ...dap, kindOf, ticker }).map((value) => JSON.stringify(value)),
);

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

test("classify() treats names such as __proto__ as custom", () => {
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    assert.equal(classify({ type: "request", command: name }).status, "custom", name);
    assert.equal(supports({}, name as "next"), false, name);
  }
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
