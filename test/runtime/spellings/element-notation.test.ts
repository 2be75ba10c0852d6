import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameDecoder } from "../../../runtime/index.js";
import { ElementNotation } from "../../../runtime/spellings/element-notation.js";
import type { ElementTable } from "../../../runtime/spellings/element-shapes.js";
import type { Piece } from "../../../runtime/frames/spelling.js";

const text = (field: string): Piece => ({ field, form: "text" });
const attribute = (field: string): { field: string; form: "text"; required: boolean } => ({
  field,
  form: "text",
  required: false,
});

/** A tree of groups, a list of unescaped values, and a point with three templates. */
const table: ElementTable = {
  messages: { group: "Group", list: "List", point: "Point" },
  spellings: {
    Group: [
      {
        tag: "group",
        attributes: {},
        children: [{ field: "groups", definition: "Group" }],
        pieces: ["<group>", text("groups"), "</group>"],
      },
    ],
    List: [
      {
        tag: "list",
        attributes: {},
        children: [{ field: "items", definition: "Item" }],
        pieces: ["<list>", text("items"), "</list>"],
      },
    ],
    Item: [
      {
        tag: "item",
        attributes: { value: { field: "value", form: "text", required: true, raw: " />" } },
        pieces: ['<item value="', text("value"), '" />'],
      },
    ],
    Point: [
      {
        tag: "point",
        attributes: { x: attribute("x") },
        pieces: ['<point x="', text("x"), '"/>'],
      },
      {
        tag: "point",
        attributes: { x: attribute("x"), y: attribute("y"), z: attribute("z"), w: attribute("w") },
        pieces: [
          '<point x="',
          text("x"),
          '" y="',
          text("y"),
          '"',
          { optional: [' z="', text("z"), '" w="', text("w"), '"'] },
          "/>",
        ],
      },
      {
        tag: "point",
        attributes: {},
        text: { field: "name", form: "text" },
        pieces: ["<point>", text("name"), "</point>"],
      },
    ],
  },
};
const notation = new ElementNotation(table, { name: "kind", payload: "values" });

/** Encodes a body, or returns the error. */
function written(kind: string, values: unknown): string {
  try {
    return notation.write({ kind, values });
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code} ${message}`;
  }
}

test("the first template with exactly the given fields is used", () => {
  const missing = (field: string): string =>
    `ERR_ENCODE_FIELD Cannot write a point element without its ${field}, at /values/${field}`;
  const placeless = (field: string): string =>
    `ERR_ENCODE_FIELD Cannot write "${field}": it is not allowed here, at /values/${field}`;
  const cases: readonly (readonly [values: unknown, result: string])[] = [
    [{ x: 1 }, '<point x="1"/>'],
    [{ x: 1, y: null, name: undefined }, '<point x="1"/>'],
    [{ x: "<", y: false }, '<point x="&lt;" y="false"/>'],
    [{ x: 1, y: 2, z: 3, w: 4 }, '<point x="1" y="2" z="3" w="4"/>'],
    [{ x: 1, y: 2, z: 3 }, '<point x="1" y="2"/>'],
    [{ x: 1, y: 2, z: 3, w: null }, '<point x="1" y="2"/>'],
    [{ name: "a & b" }, "<point>a &amp; b</point>"],
    [{ x: 1, other: 2 }, placeless("other")],
    // If no template has all of the fields, the first one is used.
    [{ x: 1, name: "a" }, '<point x="1"/>'],
    [{ y: 2 }, missing("x")],
    [{ x: {} }, missing("x")],
    [undefined, missing("x")],
  ];
  for (const [values, result] of cases)
    assert.equal(written("point", values), result, JSON.stringify(values));
});

test("nested elements are written up to a depth limit", () => {
  const nested = (depth: number): object =>
    depth === 0 ? {} : { groups: [{}, nested(depth - 1)] };
  assert.equal(
    written("group", nested(2)),
    "<group><group></group><group><group></group><group></group></group></group>",
  );
  const deepest = written("group", nested(1_000));
  assert.equal(deepest.split("<group>").length - 1, 2_001);
  assert.equal(
    written("group", nested(1_001)),
    `ERR_ENCODE_FIELD Cannot write elements: they are nested too deeply, at /values${"/groups/1".repeat(1_000)}/groups/0`,
  );
  assert.equal(
    written("group", { groups: [{ groups: 5 }] }),
    "ERR_ENCODE_FIELD Cannot write a value that is not an array, at /values/groups/0/groups",
  );
});

test("unescaped values may occur in nested elements", () => {
  const spelled = '<list><item value="a"b" /><item value="&lt;" \\" />" /></list>';
  const list = { kind: "list", values: { items: [{ value: 'a"b' }, { value: '&lt;" \\" />' }] } };
  assert.equal(written("list", list.values), spelled);
  const seen: unknown[] = [];
  const decoder = new FrameDecoder({
    framing: notation,
    onMessage: (message) => seen.push(message),
    onFault: ({ message }) => seen.push(message),
  });
  decoder.push(Buffer.from(spelled.repeat(2)));
  decoder.end();
  assert.deepEqual(seen, [list, list]);
});

test("an unescaped value is refused if it would be read differently", () => {
  for (const value of ['a" />', 'a" /><item value="b', "a\\"])
    assert.equal(
      written("list", { items: [{ value }] }),
      'ERR_ENCODE_LINE Cannot write this "list" element: it would be read back differently, at /values',
      value,
    );
});
