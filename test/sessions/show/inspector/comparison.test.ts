import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import {
  alignRecordings,
  type AlignedUnit,
} from "../../../../sessions/show/inspector/align-sessions.js";
import { withFolder, writeFiles } from "../../../support/compile.js";
import { skipWithoutBrowser as skip, type View } from "../../../support/headless-browser.js";
import { dapEvent, dapRequest, dapResponse } from "../../../support/dap-messages.js";
import { readPage, recorded } from "../../../support/inspector-page.js";
import { withInspector, wide } from "../../../support/inspector-view.js";
import { runCommand } from "../../../support/run-command.js";

/**
 * Creates a session's units from text such as `a1 b`, where a letter is a name and the digit after
 * it a payload.
 */
const units = (text: string, session = 1): AlignedUnit[] =>
  text.split(" ").map((each, row) => ({ row, session, name: each[0]!, key: each.slice(1) }));

const aligned = (left: string, right: string): string =>
  alignRecordings(units(left), units(right))
    .map(({ left: a, right: b, isChanged, isMoved }) =>
      [a, isChanged ? "~" : isMoved ? "^" : "=", b].join(""),
    )
    .join(" ");

test("the messages in two recordings are aligned by meaning and order", () => {
  assert.equal(aligned("a b c", "a b c"), "0=0 1=1 2=2");
  assert.equal(aligned("a b c", "a x c"), "0=0 1=-1 -1=1 2=2");
  assert.equal(aligned("a1 a2 a3", "a2 a3"), "0=-1 1=0 2=1");
  assert.equal(aligned("a1 b", "a2 b"), "0~0 1=1");
  assert.equal(aligned("s a b s a b", "s a b s x a b"), "0=0 1=1 2=2 3=3 -1=4 4=5 5=6");
  assert.equal(aligned("a", "x y"), "0=-1 -1=0 -1=1");
  // A unit that has moved is neither missing nor new.
  assert.equal(aligned("e a b c", "a b c e"), "0^3 1=0 2=1 3=2");
  assert.equal(aligned("a e b x", "a b e y e"), "0=0 1^2 2=1 3=-1 -1=3 -1=4");
  // Sessions are aligned by the order in which they began, not by number.
  const pairs = alignRecordings(
    [...units("a", 1), ...units("b", 2)],
    [...units("b", 7), ...units("a", 8)].map((unit, row) => ({ ...unit, row: row + 10 })),
  );
  assert.deepEqual(
    pairs.map(({ left, right }) => [left, right]),
    [
      [0, -1],
      [0, -1],
      [-1, 10],
      [-1, 11],
    ],
  );
});

test("long recordings are aligned in bounded time, whether messages repeat or are unique", () => {
  const many = Array.from({ length: 30_000 }, (_, at) => `a${at % 7 === 0 ? at : at % 5}`);
  const other = many.filter((_, at) => at % 100 !== 50);
  const began = performance.now();
  const pairs = alignRecordings(units(many.join(" ")), units(other.join(" ")));
  assert.ok(performance.now() - began < 60_000);
  assert.equal(pairs.filter(({ left, right }) => left >= 0 && right >= 0).length, other.length);
  const lefts = pairs.map(({ left }) => left).filter((row) => row >= 0);
  assert.deepEqual(
    lefts,
    [...lefts].sort((a, b) => a - b),
  );
  assert.equal(new Set(lefts).size, many.length);
  const rights = pairs.map(({ right }) => right).filter((row) => row >= 0);
  assert.deepEqual(
    [...rights].sort((a, b) => a - b),
    other.map((_, at) => at),
  );
  // No unit in the first recording resembles a unit in the second.
  const none = alignRecordings(
    units(Array.from({ length: 2_000 }, (_, at) => `a${at}`).join(" ")),
    units(Array.from({ length: 2_000 }, (_, at) => `b${at}`).join(" ")),
  );
  assert.equal(none.length, 4_000);
});

const lines = (isAfter: boolean): readonly object[] => [
  recorded("client", 0, dapRequest(1, "initialize", { adapterID: "a" })),
  recorded("adapter", 2, dapResponse(1, 1, "initialize", {})),
  recorded(
    "client",
    3,
    dapRequest(2, "launch", { program: isAfter ? "/home/bo/a.out" : "/home/al/a.out" }),
  ),
  recorded("adapter", 4, dapResponse(2, 2, "launch")),
  ...(isAfter ? [recorded("adapter", 5, dapEvent(3, "output", { output: "hi" }))] : []),
  recorded("client", 6, dapRequest(3, "stackTrace", { threadId: isAfter ? 4_711 : 815 })),
  recorded("adapter", isAfter ? 36 : 16, dapResponse(4, 3, "stackTrace", { stackFrames: [] })),
  recorded("client", 40, dapRequest(4, "threads")),
  recorded("adapter", 41, { ...dapResponse(5, 4, "threads", { threads: [] }), success: !isAfter }),
  recorded("client", 42, dapRequest(5, "evaluate", { expression: isAfter ? "x + 1" : "x" })),
  recorded("adapter", 43, dapResponse(6, 5, "evaluate", { result: "1", variablesReference: 0 })),
  ...(isAfter ? [] : [recorded("client", 44, dapRequest(6, "modules"))]),
];

/** Runs `wirewright view` on two recordings and passes on the page that it writes. */
async function withPages(use: (html: string) => Promise<void>): Promise<void> {
  const text = (isAfter: boolean): string =>
    lines(isAfter)
      .map((each) => `${JSON.stringify(each)}\n`)
      .join("");
  await withFolder(async (folder) => {
    writeFiles(folder, { "before.jsonl": text(false), "after.jsonl": text(true) });
    const run = (...args: string[]): ReturnType<typeof runCommand> =>
      runCommand(folder, ["view", ...args]);
    const { status, stderr } = run(
      "before.jsonl",
      "--compare",
      "after.jsonl",
      "--out",
      "page.html",
    );
    assert.deepEqual([status, stderr], [0, ""]);
    assert.equal(run("before.jsonl", "after.jsonl", "--compare", "after.jsonl").status, 2);
    await use(readFileSync(join(folder, "page.html"), "utf8"));
  });
}

test("a page for two recordings contains both, aligned regardless of ids and folders", async () => {
  await withPages(async (html) => {
    const { data, messages } = readPage(html);
    assert.equal(messages.length, lines(false).length);
    const { other, pairs } = data.comparison!;
    assert.equal(other.head.title, "after.jsonl");
    assert.deepEqual(
      pairs.map(({ left, right, isChanged, isOtherAnswer, isMoved }) =>
        [left, right, isChanged, isOtherAnswer, isMoved].map(Number),
      ),
      [
        [0, 0, 0, 0, 0],
        [2, 2, 0, 0, 0],
        [-1, 4, 0, 0, 0],
        [4, 5, 0, 0, 0],
        [6, 7, 0, 1, 0],
        [8, 9, 1, 0, 0],
        [10, -1, 0, 0, 0],
      ],
    );
    return Promise.resolve();
  });
});

test("the comparison shows missing, new, failed, slower and changed units", { skip }, async () => {
  await withPages((html) =>
    withInspector(html, async (evaluate) => {
      assert.deepEqual(await evaluate(`texts(".chip")`), [
        "1 missing",
        "1 new",
        "1 failed",
        "1 slower",
        "2 changed",
        "0 moved",
      ]);
      assert.deepEqual(
        await evaluate(`texts(".pair").map((each) => each.replace(/\\d+\\.\\d{3} /g, ""))`),
        [
          "1 initialize adapter a 2.0 ms 1 initialize adapter a 2.0 ms",
          "3 launch /home/al/a.out 1.0 ms 3 launch /home/bo/a.out 1.0 ms",
          "– new 5 output hi",
          "5 stackTrace thread 815 10 ms slower 6 stackTrace thread 4711 30 ms",
          "7 threads 1.0 ms failed, changed 8 threads failed 1.0 ms",
          "9 evaluate x 1.0 ms changed 10 evaluate x + 1 1.0 ms",
          "11 modules missing –",
        ],
      );
      await evaluate(`tap(".chip", "slower")`);
      assert.equal(await evaluate(`texts(".count").join()`), "1 of 7");
      await evaluate(`tap(".chip", "slower")`);
      await evaluate(`type("eval")`);
      assert.equal(await evaluate(`texts(".count").join()`), "1 of 7");
      await evaluate(`type("")`);
      await evaluate(`document.getElementById("list").focus()`);
      const selected = `Number(all(".pair.selected")[0].dataset.pair)`;
      const visited: unknown[] = [];
      for (let count = 0; count < 5; count++) {
        await evaluate(`press("n")`);
        visited.push(await evaluate(selected));
      }
      assert.deepEqual(visited, [2, 3, 4, 5, 6]);
      assert.deepEqual(await evaluate(`texts(".two h2")`), [
        "before.jsonl",
        "request modules 6",
        "after.jsonl",
      ]);
      await evaluate(`press("p")`);
      assert.deepEqual(
        await evaluate(`texts(".two .line").filter((each) => /expression/.test(each))`),
        ['expression: "x"', 'expression: "x + 1"'],
      );
      await evaluate(`press("Home")`);
      assert.equal(await evaluate(selected), 0);
      await evaluate(`press("End")`);
      assert.equal(await evaluate(selected), 6);
    }),
  );
});

const narrow: View = { width: 400, height: 800, scheme: "light" };

test(
  "axe finds no serious problems in a comparison, which also fits on a narrow page",
  { skip },
  async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    await withPages(async (html) => {
      for (const scheme of ["light", "dark"] as const)
        for (const view of [wide, narrow])
          await withInspector(
            html,
            async (evaluate) => {
              await evaluate(`${axe}; null`);
              for (const step of [`null`, `press("n")`, `press("End")`]) {
                await evaluate(step);
                const found = await evaluate(
                  `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes.map(({ html, failureSummary }) => html + failureSummary).join("\\n")))`,
                );
                assert.deepEqual(found, [], `${scheme} ${view.width} ${step}`);
              }
              assert.equal(await evaluate(`document.documentElement.scrollWidth`), view.width);
            },
            { ...view, scheme },
          );
    });
  },
);
