import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameDecoder } from "../../../runtime/index.js";
import { ElementNotation } from "../../../runtime/spellings/element-notation.js";
import type { ElementTable } from "../../../runtime/spellings/element-shapes.js";
import type { Piece } from "../../../runtime/frames/spelling.js";
import { readInput, testCases } from "../../support/case-list.js";

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

testCases("test/cases/points.md", "points are written", (input) => [
  written("point", readInput(input)[0]),
]);

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
