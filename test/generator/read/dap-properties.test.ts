import assert from "node:assert/strict";
import { test } from "node:test";
import { eventsOf, flattenProperties, requestsOf } from "../../../cli/index.js";
import type { ObjectType, Property } from "../../../generator/model/types.js";
import { dap, definitions, request } from "../../support/dap-model.js";

function property(definition: string, name: string): Property {
  const type = definitions.get(definition)!.type as ObjectType;
  return flattenProperties(definitions, type).find((each) => each.name === name)!;
}

test("readProtocol() reads the same enum as open in one place and closed in another", () => {
  const reason = (event: string) => property(`${event}Body`, "reason").type;
  const values = [{ value: "changed" }, { value: "new" }, { value: "removed" }];
  assert.deepEqual(reason("BreakpointEvent"), { kind: "enum", open: true, values });
  assert.deepEqual(reason("ModuleEvent"), {
    kind: "enum",
    open: false,
    values: [{ value: "new" }, { value: "changed" }, { value: "removed" }],
  });
});

test("readProtocol() reads 14 open and 18 closed enums with more than one value", () => {
  const enums = JSON.stringify(dap.definitions.map((definition) => definition.type)).match(
    /"kind":"enum","open":(true|false)/g,
  )!;
  assert.equal(enums.filter((each) => each.endsWith("true")).length, 14);
  assert.equal(enums.filter((each) => each.endsWith("false")).length, 18);
});

test("readProtocol() reads 8 properties of any type", () => {
  const any = dap.definitions
    .flatMap((definition) => (definition.type.kind === "object" ? definition.type.properties : []))
    .filter((each) => each.type.kind === "any");
  assert.equal(any.length, 8);
});

test("readProtocol() distinguishes required, nullable and optional properties", () => {
  const { type, required } = property("DataBreakpointInfoResponseBody", "dataId");
  assert.deepEqual(
    { type, required },
    { type: { kind: "union", members: [{ kind: "string" }, { kind: "null" }] }, required: true },
  );
});

test("readProtocol() keeps recursion as references", () => {
  assert.deepEqual(property("Source", "sources").type, {
    kind: "array",
    items: { kind: "reference", name: "Source" },
  });
  assert.deepEqual(property("ExceptionDetails", "innerException").type, {
    kind: "array",
    items: { kind: "reference", name: "ExceptionDetails" },
  });
});

test("readProtocol() flattens inheritance and lists all required properties before optional ones", () => {
  const flat = flattenProperties(
    definitions,
    definitions.get("ThreadsRequest")!.type as ObjectType,
  );
  assert.deepEqual(
    flat.map((each) => [each.name, each.required, each.type.kind]),
    [
      ["seq", true, "integer"],
      ["type", true, "literal"],
      ["command", true, "literal"],
      ["arguments", false, "any"],
    ],
  );
});

test("readProtocol() reads required capabilities, defaults and deprecation from the description and the schema's text", () => {
  assert.deepEqual(request(dap, "setExceptionBreakpoints").gate, {
    role: "adapter",
    capability: "exceptionBreakpointFilters",
  });
  assert.deepEqual(eventsOf(dap).find((each) => each.name === "memory")!.gate, {
    role: "client",
    capability: "supportsMemoryEvent",
  });
  assert.equal(requestsOf(dap).filter((each) => each.gate !== undefined).length, 28);
  assert.deepEqual(property("SourceBreakpoint", "logMessage").gate, {
    role: "adapter",
    capability: "supportsLogPoints",
  });
  assert.equal(property("ContinueResponseBody", "allThreadsContinued").default, true);
  assert.equal(
    property("SetBreakpointsArguments", "lines").deprecated,
    "The lines to set breakpoints on. Use `breakpoints`.",
  );
  const kind = property("VariablePresentationHint", "kind").type;
  assert.equal(
    kind.kind === "enum" && kind.values.find((each) => each.value === "dataBreakpoint")!.deprecated,
    "A data breakpoint is set on the variable. Use the `hasDataBreakpoint` attribute.",
  );
});
