import assert from "node:assert/strict";
import { readFileSync, existsSync } from "node:fs";
import { test } from "node:test";
import { fillPage, renderFiles } from "../bench/figures/render.js";
import { joinPrinted, type Printed, type Results } from "../bench/results.js";
import { fromRoot } from "./support/paths.js";

for (const [path, expected] of renderFiles())
  test(`${path} shows the figures of bench/results: npm run figures writes them`, () => {
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

test("fillPage() fills marked places with tables, and leaves the rest", () => {
  const page = "a\n\n<!-- figures: s/sizes -->\n\nold\n\n<!-- /figures -->\n\nb\n";
  assert.equal(
    fillPage(page, new Map([["s", results]])),
    [
      "a\n\n<!-- figures: s/sizes -->\n",
      "| what | size             | note |",
      "| ---- | ---------------- | ---- |",
      "| one  | 1.23 kB / 250 kB | a    |",
      "| two  |  / 0.05 kB       |  / b |",
      "\n<!-- /figures -->\n\nb\n",
    ].join("\n"),
  );
});

test("fillPage() says which results are missing", () => {
  const page = "<!-- figures: none/sizes --><!-- /figures -->";
  assert.throws(() => fillPage(page, new Map()), {
    message: "bench/results/none.json is missing: npm run bench:none -- --save",
  });
});

function printed(node: string, digest: string): Printed {
  const rows = [{ labels: ["a"], cells: { own: [Number.parseInt(node), 0.1] as const } }];
  return {
    node,
    tables: { t: { labels: ["row"], units: {}, rows } },
    outcomes: { a: digest },
  };
}

test("joinPrinted() has a value for each version", () => {
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
