import assert from "node:assert/strict";
import { readFileSync, existsSync } from "node:fs";
import { test } from "node:test";
import { formatCells } from "../../tools/bench/format-cell.js";
import { fillPage, renderFiles } from "../../tools/bench/figures/render.js";
import { joinPrinted, type Printed, type Results } from "../../tools/bench/results.js";
import { fromRoot } from "../support/paths.js";

for (const [path, expected] of renderFiles())
  test(`${path} shows the figures in bench/results (update them with "npm run bench -- figures")`, () => {
    assert.ok(existsSync(fromRoot(path)), path);
    assert.equal(readFileSync(fromRoot(path), "utf8"), expected);
  });

const results: Results = {
  nodes: ["24.1.0", "26.1.0"],
  tables: {
    sizes: {
      labels: ["what"],
      units: { size: "kB" },
      rows: [
        {
          labels: ["one"],
          cells: {
            size: [
              [1.234, 0],
              [250, 0.1],
            ],
            note: ["a", "a"],
          },
        },
        { labels: ["two"], cells: { size: [null, [0.05, 0]], note: ["", "b"] } },
      ],
    },
  },
};

test("fillPage() replaces the text between markers with tables and keeps the rest of the page", () => {
  const page = "a\n\n<!-- figures: s/sizes -->\n\nold\n\n<!-- /figures -->\n\nb\n";
  assert.equal(
    fillPage(page, new Map([["s", results]])),
    [
      "a\n\n<!-- figures: s/sizes -->\n",
      "| what | size          | note |",
      "| ---- | ------------- | ---- |",
      "| one  | 1.23 / 250 kB | a    |",
      "| two  |  / 0.05 kB    |  / b |",
      "\n<!-- /figures -->\n\nb\n",
    ].join("\n"),
  );
});

test("fillPage() mentions the command that measures missing figures", () => {
  const page = "a <!-- figures: none/sizes --><!-- /figures --> b";
  assert.equal(
    fillPage(page, new Map()),
    "a <!-- figures: none/sizes -->Not measured yet: run `npm run bench -- none --save` to measure it.<!-- /figures --> b",
  );
});

function printed(node: string, digest: string): Printed {
  const rows = [{ labels: ["a"], cells: { own: [Number.parseInt(node), 0.1] as const } }];
  return {
    node,
    tables: { t: { labels: ["row"], units: {}, rows } },
    outcomes: { a: digest },
  };
}

test("joinPrinted() joins the values for each version", () => {
  assert.deepEqual(joinPrinted([printed("24.1.0", "x"), printed("26.1.0", "x")]), {
    nodes: ["24.1.0", "26.1.0"],
    tables: {
      t: {
        labels: ["row"],
        units: {},
        rows: [
          {
            labels: ["a"],
            cells: {
              own: [
                [24, 0.1],
                [26, 0.1],
              ],
            },
          },
        ],
      },
    },
  });
});

test("joinPrinted() refuses versions with different results", () => {
  assert.throws(() => joinPrinted([printed("24.1.0", "x"), printed("26.1.0", "y")]), {
    message: "a: Node 26.1.0 and 24.1.0 have different results",
  });
});

test("formatCells() writes a unit once, and all values in the unit of the largest one", () => {
  const texts = [
    formatCells(
      [
        [680, 0.01],
        [498, 0],
        [489, 0],
      ],
      "ns a message",
    ),
    formatCells(
      [
        [1080, 0],
        [950, 0],
      ],
      "ns a message",
    ),
    formatCells(
      [
        [2.5, 0],
        [1.25, 0],
      ],
      undefined,
    ),
    formatCells([[1200, 0], "fails"], "ns"),
    formatCells(
      [
        [50, 0],
        [50, 0],
      ],
      "kB",
    ),
    formatCells([null, [3, 0]], ""),
    formatCells([], "ns"),
  ];
  assert.deepEqual(texts, [
    "680 / 498 / 489 ns a message",
    "1.08 / 0.95 us a message",
    "2.50 / 1.25",
    "1.20 us / fails",
    "50 kB",
    " / 3",
    "",
  ]);
});
