import assert from "node:assert/strict";
import { test } from "node:test";
import { printSnapshot, type FrameSnapshot, type StopSnapshot } from "@wirewright/dap/session";

const frame = (name: string, line: number, more: Partial<FrameSnapshot> = {}): FrameSnapshot => ({
  id: line,
  name,
  path: "/a.py",
  line,
  column: 1,
  scopes: [],
  ...more,
});

const snapshot: Pick<StopSnapshot, "frames" | "cut"> = {
  frames: [
    frame("inner", 3, {
      scopes: [
        {
          name: "Locals",
          variablesReference: 1,
          variables: [
            { name: "text", type: "str", value: "'a\nb\r'", variablesReference: 0 },
            {
              name: "items",
              type: "",
              value: "[…]",
              variablesReference: 2,
              variables: [
                { name: "0", value: "{…}", variablesReference: 3, cut: { reason: "depth" } },
              ],
              cut: { reason: "items", count: 8 },
            },
          ],
          cut: { reason: "time" },
        },
        {
          name: "Registers",
          variablesReference: 4,
          variables: [],
          cut: { reason: "failed", message: "not now" },
        },
      ],
      cut: { reason: "expensive", count: 1 },
    }),
    frame("start", 0, { path: undefined }),
  ],
  cut: { reason: "frames", count: 12 },
};

const lines = [
  "#0 inner /a.py:3",
  "  Locals",
  "    text: str = 'a\\nb\\r'",
  "    items = […]",
  "      0 = {…}",
  "      … 8 more (items)",
  "    … more (time)",
  "  Registers",
  "    … more (not now)",
  "  … 1 more (expensive)",
  "#1 start",
  "… 12 more (frames)",
];

test("a snapshot as text shows frames, scopes, variables and what is missing", () => {
  assert.deepEqual(printSnapshot(snapshot).split("\n"), lines);
  assert.equal(printSnapshot({ frames: [] }), "");
});

test("a snapshot as text keeps to every budget, and counts the lines that do not fit", () => {
  const whole = lines.join("\n");
  assert.equal(printSnapshot(snapshot, { characters: whole.length }), whole);
  for (let characters = 0; characters < whole.length; characters++) {
    const text = printSnapshot(snapshot, { characters });
    assert.ok(text.length <= characters, `${text.length} of ${characters}`);
    const kept = text.split("\n").slice(0, -1);
    if (characters >= 16)
      assert.equal(
        text,
        [...lines.slice(0, kept.length), `… ${lines.length - kept.length} more lines`].join("\n"),
      );
  }
  assert.equal(printSnapshot(snapshot, { characters: 60 }).split("\n").length, 3);
});

test("a snapshot as text refuses wrong options", () => {
  for (const options of [{ characters: -1 }, { characters: "9" }, { chars: 9 }] as object[])
    assert.throws(() => printSnapshot(snapshot, options), TypeError);
});
