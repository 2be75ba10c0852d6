import assert from "node:assert/strict";
import { test } from "node:test";
import type { Type } from "../../generator/model/types.js";
import { number, object, ref, text } from "../support/model-types.js";
import {
  changes,
  check,
  none,
  property,
  renamed,
  retyped,
  type ChangeText,
} from "../support/type-changes.js";

test("added, removed and renamed properties are found", () => {
  const lines = { startLine: "", endLine: "" };
  check([
    [object({}), object({}), []],
    [
      object({}),
      object({ "a?": text }),
      [property("added-optional", "a", "string", {}, { a: "" })],
    ],
    [object({}), object({ a: text }), [property("added-required", "a", "string", {}, { a: "" })]],
    [
      object({ "a?": text }),
      object({}),
      [property("removed-optional", "a", "string", { a: "" }, {})],
    ],
    [object({ a: text }), object({}), [property("removed-required", "a", "string", { a: "" }, {})]],
    [
      object({ startLine: text }),
      object({ line: text }),
      [renamed("required", "startLine", "line")],
    ],
    [
      object({ "startLine?": text }),
      object({ "line?": text }),
      [renamed("optional", "startLine", "line")],
    ],
    [
      object({ start_line: text }),
      object({ "line-end": text }),
      [renamed("required", "start_line", "line-end")],
    ],
    // The following changes are not renamings: the names have no word in common, the type or
    // requirement differs, or there are two candidates.
    [
      object({ startLine: text }),
      object({ column: text }),
      [
        property("removed-required", "startLine", "string", { startLine: "" }, { column: "" }),
        property("added-required", "column", "string", { startLine: "" }, { column: "" }),
      ],
    ],
    [
      object({ startLine: text }),
      object({ line: number }),
      [
        property("removed-required", "startLine", "string", { startLine: "" }, { line: 0 }),
        property("added-required", "line", "number", { startLine: "" }, { line: 0 }),
      ],
    ],
    [
      object({ startLine: text }),
      object({ "line?": text }),
      [
        property("removed-required", "startLine", "string", { startLine: "" }, {}),
        property("added-optional", "line", "string", { startLine: "" }, { line: "" }),
      ],
    ],
    [
      object({ startLine: text, endLine: text }),
      object({ line: text }),
      [
        property("removed-required", "startLine", "string", lines, { line: "" }),
        property("removed-required", "endLine", "string", lines, { line: "" }),
        property("added-required", "line", "string", lines, { line: "" }),
      ],
    ],
    [
      object({ startLine: text, name: text }),
      object({ line: text }),
      [
        {
          ...renamed("required", "startLine", "line"),
          values: [{ startLine: "", name: "" }, { line: "" }],
        },
        property("removed-required", "name", "string", { startLine: "", name: "" }, { line: "" }),
      ],
    ],
    [
      object({ line: text }),
      object({ startLine: text, endLine: text }),
      [
        property("removed-required", "line", "string", { line: "" }, lines),
        property("added-required", "startLine", "string", { line: "" }, lines),
        property("added-required", "endLine", "string", { line: "" }, lines),
      ],
    ],
  ]);
});

test("changes to a property's requirement, type, default, capability and description are found", () => {
  const x = ".x.a";
  const gate = { role: "adapter", capability: "f" };
  const optional = (more: object): Type => object({ "a?": { type: text, ...more } });
  const defaults = (id: string, old: string, now: string): ChangeText => ({
    id: `default.${id}`,
    label: x,
    change: `default ${old || "none"} → ${now || "none"}`,
    before: old,
    after: now,
    decision: `default ${old} ${now}`,
    values: [none, none],
  });
  const gates = (id: string, old: string, now: string): ChangeText => ({
    id: `gate.${id}`,
    label: x,
    change: `${old || "none"} → ${now || "none"}`,
    before: old,
    after: now,
    values: [none, none],
  });
  const docs = (id: string, change: string): ChangeText => ({
    id: `doc.${id}`,
    label: x,
    change,
    decision: "",
    values: [none, none],
  });
  const changedReason: ChangeText = {
    id: "doc.changed",
    label: ".x.a",
    change: "a",
    decision: "",
    values: [undefined, undefined],
  };
  const deprecated = (id: string, change: string): ChangeText => ({
    id: `deprecated.${id}`,
    label: x,
    change,
    values: [none, none],
  });
  const long = "x".repeat(120);
  check([
    [
      object({ "a?": text }),
      object({ a: text }),
      [
        {
          id: "prop.became-required",
          label: x,
          change: "optional → required",
          decision: "a required",
          values: [{}, { a: "" }],
        },
      ],
    ],
    [
      object({ a: text }),
      object({ "a?": text }),
      [
        {
          id: "prop.became-optional",
          label: x,
          change: "required → optional",
          decision: "a required",
          values: [{ a: "" }, {}],
        },
      ],
    ],
    [
      object({ a: object({ b: text }) }),
      object({ a: object({ b: number }) }),
      [retyped("type.changed", "string", "number", ["", 0], ".x.a.b")],
    ],
    [
      object({}),
      object({}, { closed: true }),
      [
        {
          id: "object.closed",
          label: ".x",
          change: "further properties allowed → forbidden",
          values: [{ other: true }, none],
        },
      ],
    ],
    [
      object({}, { closed: true }),
      object({}),
      [
        {
          id: "object.opened",
          label: ".x",
          change: "further properties forbidden → allowed",
          values: [none, { other: true }],
        },
      ],
    ],
    [optional({}), optional({ default: "x" }), [defaults("added", "", '"x"')]],
    [optional({ default: null }), optional({ default: "y" }), [defaults("changed", "null", '"y"')]],
    [optional({ default: "x" }), optional({}), [defaults("removed", '"x"', "")]],
    [optional({ default: [1] }), optional({ default: [1] }), []],
    [optional({}), optional({ gate }), [gates("added", "", "adapter.f")]],
    [optional({ gate }), optional({}), [gates("removed", "adapter.f", "")]],
    [
      optional({ gate }),
      optional({ gate: { role: "client", capability: "f" } }),
      [gates("changed", "adapter.f", "client.f")],
    ],
    [optional({ gate }), optional({ gate }), []],
    [
      object({}),
      optional({ gate }),
      [{ ...property("added-optional", "a", "string", {}, { a: "" }), gate }],
    ],
    [optional({ docs: "One. Two." }), optional({ docs: "One. Three." }), [docs("changed", "Two.")]],
    [optional({}), optional({ docs: "One.\nTwo." }), [docs("changed", "One.")]],
    [optional({ docs: "One. Two." }), optional({ docs: "Two.\n\n  One." }), []],
    [optional({ docs: "One two." }), optional({ docs: "One\ttwo." }), []],
    [
      optional({ docs: "It is." }),
      optional({ docs: "It may be. It must be." }),
      [docs("normative", "It must be.")],
    ],
    [
      optional({ docs: "Clients supporting it may." }),
      optional({ docs: "Clients may." }),
      [docs("normative", "Clients supporting it may.")],
    ],
    ...["require", "required", "support", "SHALL"].map(
      (word): readonly [Type, Type, readonly ChangeText[]] => [
        optional({ docs: `They ${word} it.` }),
        optional({}),
        [docs("normative", `They ${word} it.`)],
      ],
    ),
    [optional({ docs: "Mustard." }), optional({}), [docs("changed", "Mustard.")]],
    [optional({ docs: long }), optional({}), [docs("changed", long)]],
    [optional({ docs: `${long}x` }), optional({}), [docs("changed", `${long.slice(1)}…`)]],
    [optional({ deprecated: "Old." }), optional({}), [deprecated("removed", "Old.")]],
    [optional({}), optional({ deprecated: "" }), [deprecated("added", "deprecated")]],
    [optional({ deprecated: "" }), optional({}), [deprecated("removed", "no longer deprecated")]],
    [optional({ deprecated: "a" }), optional({ deprecated: "b" }), [changedReason]],
  ]);
});

test("changed enum value descriptions are found", () => {
  const values = (docs: string, more: object = {}): Type => ({
    kind: "enum",
    open: false,
    values: [{ value: "a" }, { value: "b", docs, ...more }],
  });
  check([
    [
      values("One."),
      values("Two.", { deprecated: "Old." }),
      [
        {
          id: "deprecated.added",
          label: '.x = "b"',
          change: "Old.",
          values: [none, none],
        },
        {
          id: "doc.changed",
          label: '.x = "b"',
          change: "One.",
          decision: "",
          values: [none, none],
        },
      ],
    ],
  ]);
});

test("the description of a property that becomes a reference is not compared", () => {
  const [before, after] = [
    object({ a: { type: text, docs: "One." }, b: { type: ref("T"), docs: "One." } }),
    object({ a: { type: ref("T"), docs: "Two." }, b: { type: ref("T"), docs: "Two." } }),
  ];
  const found = changes(before, after, [{ T: text }, { T: text }]);
  assert.deepEqual(
    found.map(({ id, label }) => [id, label]),
    [
      ["referred", "T T"],
      ["doc.changed", ".x.b"],
    ],
  );
});
