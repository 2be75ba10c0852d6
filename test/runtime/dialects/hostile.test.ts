import assert from "node:assert/strict";
import { test } from "node:test";
import { createDialect } from "@wirewright/sqltools/dialects";
import { DialectConnection } from "../../../runtime/dialects/dialect.js";
import type { EnvelopeTable } from "../../../runtime/protocol/protocol-description.js";
import type { ObjectRule, Rule } from "../../../runtime/validation/rule.js";

const envelope: EnvelopeTable = {
  constants: {},
  request: { when: { method: true, id: true }, name: "method", payload: "params" },
  event: { when: { method: true, id: false }, name: "method", payload: "params" },
  response: { when: { method: false, id: true }, result: "result", error: "error" },
  id: "id",
  replyTo: "id",
};

/** Creates a dialect that applies to requests named `x` and ignores ignorable values. */
function forgivingDialect(params: Rule): DialectConnection {
  const known = { x: { required: { params }, message: true } as ObjectRule };
  return new DialectConnection(
    envelope,
    { docs: "", reads: ["forgiving"], writes: [] },
    {
      message: { arms: [{ when: envelope.request.when, name: "method", known, other: "any" }] },
      results: {},
    },
  );
}

/** A tree with two kinds of nodes that nothing distinguishes. Invalid labels are ignored. */
const node = (): Rule => ({ anyOf: [left, right] });
const left = (): ObjectRule => ({
  required: { left: "string" },
  optional: { child: { late: node }, label: { forgives: ["errors"], rule: "string" } },
  recursive: true,
});
const right = (): ObjectRule => ({
  required: { right: "string" },
  optional: { child: { late: node }, label: { forgives: ["errors"], rule: "string" } },
  recursive: true,
});

test("recursive alternatives are tried only once per value", () => {
  let value: object = { left: "a", label: 5 };
  for (let depth = 0; depth < 60; depth++) value = { child: value, neither: true };
  const message = { method: "x", id: 1, params: value };
  const before = process.cpuUsage();
  assert.equal(forgivingDialect(node).read(message), message, "nothing makes it right");
  assert.ok(process.cpuUsage(before).user < 2_000_000);
  assert.deepEqual(
    forgivingDialect(node).read({
      method: "x",
      id: 1,
      params: { right: "a", child: { left: "b", label: 5 } },
    }),
    { method: "x", id: 1, params: { right: "a", child: { left: "b" } } },
  );
});

test("a dialect does not change values nested deeper than its limit", () => {
  const nested = (depth: number): object => {
    let value: object = { left: "a", label: 5 };
    for (let level = 0; level < depth; level++) value = { left: "a", child: value };
    return { method: "x", id: 1, params: value };
  };
  const read = (depth: number): string =>
    JSON.stringify(forgivingDialect(node).read(nested(depth)));
  assert.equal(read(10).includes("label"), false);
  assert.equal(read(300).includes("label"), true);
});

test("a dialect neither adds nor loses properties with names such as constructor", () => {
  const rule: ObjectRule = {
    required: { kind: { value: "a" } },
    optional: JSON.parse(
      '{"__proto__": {"forgives": ["errors"], "otherwise": "b", "rule": "string"}}',
    ) as Record<string, Rule>,
  };
  const params = JSON.parse('{"kind": "a", "__proto__": 5}') as object;
  const read = forgivingDialect(() => rule).read({ method: "x", id: 1, params }) as {
    params: object;
  };
  assert.equal(Object.getPrototypeOf(read.params), Object.prototype);
  assert.deepEqual(Object.entries(read.params), [
    ["kind", "a"],
    ["__proto__", "b"],
  ]);
});

test("a dialect does not remember requests with very long ids or names", () => {
  const answered = (id: unknown): unknown => {
    const dialect = createDialect("service");
    dialect.write({ jsonrpc: "2.0", id, method: "textDocument/completion" });
    const read = dialect.read({ jsonrpc: "2.0", id, result: [{ label: "a", kind: 3 }] });
    return (read as { result: readonly { kind: unknown }[] }).result[0]!.kind;
  };
  assert.equal(answered("x".repeat(256)), "Function");
  assert.equal(answered("x".repeat(257)), 3);
  assert.equal(answered({ toString: 1 }), 3);
});

test("a dialect does not fail on values that cannot be converted to strings", () => {
  const dialect = createDialect("seq");
  const message = { type: "response", command: { toString: 1, valueOf: 1 }, request_seq: {} };
  assert.deepEqual(dialect.read(message), { jsonrpc: "2.0", id: {}, result: null });
  const planted: unknown = JSON.parse('{"__proto__": {"type": "request"}}');
  assert.equal(dialect.read(planted), planted);
});
