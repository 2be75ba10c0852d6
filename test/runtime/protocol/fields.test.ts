import assert from "node:assert/strict";
import { test } from "node:test";
import {
  visitFields,
  type FieldVisitors,
  type KnownMessage,
  type StackTraceResponse,
} from "@wirewright/dap";
import { readProtocol } from "../../../cli/index.js";
import { Sampler } from "../../support/sample-values.js";

const dap = await readProtocol("dap");

/** The kind of reference in each property, taken from the specification by hand. */
const kinds: Readonly<Record<string, keyof FieldVisitors>> = {
  dataId: "data",
  declarationLocationReference: "location",
  frameId: "frame",
  hitBreakpointIds: "breakpoint",
  instructionPointerReference: "memory",
  instructionReference: "memory",
  locationReference: "location",
  memoryReference: "memory",
  moduleId: "module",
  progressId: "progress",
  requestId: "request",
  sourceReference: "sourceReference",
  stackFrameId: "frame",
  targetId: "target",
  threadId: "thread",
  threadIds: "thread",
  valueLocationReference: "location",
  variablesReference: "variables",
};

/**
 * Properties whose names look like references, although they do not refer to anything in a session.
 */
const others = [
  "adapterID",
  "clientID",
  "exceptionId",
  "filterId",
  "processId",
  "shellProcessId",
  "systemProcessId",
  "supportsMemoryReferences",
];

test("every property that looks like a reference is listed as a reference or as an exception", () => {
  const names = new Set<string>();
  const walk = (type: (typeof dap.definitions)[number]["type"]): void => {
    if (type.kind === "object")
      for (const property of type.properties) {
        if (/(Id|ID|Ids|References?)$/.test(property.name)) names.add(property.name);
        walk(property.type);
      }
    else if (type.kind === "array") walk(type.items);
    else if (type.kind === "union") type.members.forEach(walk);
  };
  for (const { type } of dap.definitions) walk(type);
  assert.deepEqual([...names].sort(), [...Object.keys(kinds), ...others].sort());
});

/** Finds the locations and kinds of references in a value by property name alone. */
function placesByName(message: object): readonly string[] {
  const found: string[] = [];
  const idKinds: readonly (readonly [RegExp, keyof FieldVisitors])[] = [
    [/\/stackFrames\/\d+\/id$/, "frame"],
    [/\/threads\/\d+\/id$/, "thread"],
    [/\/breakpoints?(\/\d+)?\/id$/, "breakpoint"],
    [/\/modules?(\/\d+)?\/id$/, "module"],
    [/\/targets\/\d+\/id$/, "target"],
  ];
  const none = (kind: string, value: unknown): boolean =>
    value === 0 && (kind === "variables" || kind === "sourceReference");
  const walk = (value: unknown, place: string): void => {
    const key = /\/([^/\d]+)(\/\d+)?$/.exec(place)?.[1] ?? "";
    if (typeof value !== "object" || value === null) {
      const kind = /\/id$/.test(place)
        ? idKinds.find(([pattern]) => pattern.test(place))?.[1]
        : kinds[key];
      if (kind !== undefined && value !== null && !none(kind, value))
        found.push(`${kind} ${place}`);
      return;
    }
    if (!Array.isArray(value) && /\/(source|sources\/\d+|instructions\/\d+\/location)$/.test(place))
      found.push(`source ${place}`);
    for (const [name, each] of Object.entries(value)) walk(each, `${place}/${name}`);
  };
  walk(message, "");
  return found.sort();
}

test("visitFields() visits every value of a given kind in every message", () => {
  const sampler = new Sampler(dap, 9);
  let visited = 0;
  for (const message of dap.messages) {
    const definitions = [
      message.definition,
      ...(message.kind === "request" ? [message.responseDefinition!] : []),
    ];
    for (const definition of definitions) {
      const sample = sampler.sample(definition, "all") as KnownMessage;
      const seen: string[] = [];
      const all = Object.fromEntries(
        [...new Set([...Object.values(kinds), "source"])].map((kind) => [
          kind,
          (value: unknown, place: string) => (seen.push(`${kind} ${place}`), value),
        ]),
      ) as FieldVisitors;
      assert.equal(visitFields(sample, all), sample, definition);
      // Skip launch arguments, which may contain any values, and a source's adapter data.
      const named = placesByName(sample).filter(
        (place) => !/\/(adapterData|__restart|data|restart|configuration)\//.test(place),
      );
      assert.deepEqual(seen.sort(), named, definition);
      visited += seen.length;
    }
  }
  assert.ok(visited > 150, String(visited));
});

test("visitFields() copies changed parts and shares unchanged ones", () => {
  const frames = [
    {
      id: 1,
      name: "a",
      line: 1,
      column: 1,
      source: { path: "/box/a.ts", sources: [{ path: "/box/b.ts" }] },
    },
    { id: 2, name: "b", line: 1, column: 1 },
  ];
  const message: StackTraceResponse = {
    seq: 1,
    type: "response",
    request_seq: 1,
    success: true,
    command: "stackTrace",
    body: { stackFrames: frames },
  };
  const before = structuredClone(message);
  const mapped = visitFields(message, {
    source: (source) =>
      source.path === undefined
        ? source
        : { ...source, path: source.path.replace("/box", "/home") },
    frame: (id) => (id === 1 ? 1001 : id),
  });
  assert.deepEqual(message, before);
  assert.deepEqual(mapped, {
    ...message,
    body: {
      stackFrames: [
        {
          ...frames[0],
          id: 1001,
          source: { path: "/home/a.ts", sources: [{ path: "/home/b.ts" }] },
        },
        frames[1],
      ],
    },
  });
  assert.equal((mapped as { body: { stackFrames: unknown[] } }).body.stackFrames[1], frames[1]);
});

test("visitFields() returns an invalid message unchanged", () => {
  const visitors: FieldVisitors = { thread: () => assert.fail("no thread is here") };
  const odd: readonly object[] = [
    {},
    { type: "request", command: "vendor/x", arguments: { threadId: 1 } },
    { type: "request", command: "__proto__", arguments: { threadId: 1 } },
    { type: "response", command: "threads", success: false, body: { error: {} } },
    { type: "response", command: "threads", success: true, body: { threads: {} } },
    { type: "request", command: "next", arguments: null },
    { type: "event", event: "stopped", body: [] },
  ];
  for (const each of odd) assert.equal(visitFields(each, visitors), each);
  // The same visitor finds the thread in a valid message.
  const next = { type: "request", command: "next", arguments: { threadId: 1 } };
  assert.throws(() => visitFields(next, visitors), /no thread is here/);
});
