import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { launch } from "@wirewright/dap/session";
import { answer } from "../../support/scripted-adapter.js";
import type { Fields } from "../../support/scripted-connection.js";
import { options, type Behaviour, play, quick, stopped } from "../../support/played-session.js";

describe("snapshot()", () => {
  const list = Array.from({ length: 250 }, (_, index) => ({
    name: String(index),
    value: "v",
    variablesReference: 0,
  }));
  const answers: Behaviour["answers"] = {
    configurationDone: (request) => [answer(request), stopped("entry")],
    stackTrace: (request) => {
      const { levels } = request["arguments"] as { readonly levels: number };
      const frames = Array.from({ length: 3 }, (_, index) => ({
        id: index + 1,
        name: `f${index}`,
        line: index,
        column: 1,
        source: { path: "/a.c" },
      }));
      return [answer(request, { stackFrames: frames.slice(0, levels), totalFrames: 3 })];
    },
    scopes: (request) => [
      answer(request, {
        scopes: [
          { name: "Locals", variablesReference: 1, expensive: false },
          { name: "Globals", variablesReference: 9, expensive: true, namedVariables: 500 },
        ],
      }),
    ],
    variables: (request) => {
      const { variablesReference, start = 0, count } = request["arguments"] as Fields;
      const inside: { readonly [reference: number]: readonly object[] } = {
        1: [
          {
            name: "list",
            value: "[…]",
            type: "list",
            variablesReference: 2,
            indexedVariables: 250,
          },
          { name: "self", value: "{…}", variablesReference: 3 },
          { name: "text", value: "é".repeat(1000), variablesReference: 0 },
        ],
        2: list,
        3: [{ name: "self", value: "{…}", variablesReference: 3 }],
      };
      const all = inside[variablesReference]!;
      return [
        answer(request, {
          variables: count === undefined ? all : all.slice(start, start + count),
        }),
      ];
    },
  };

  test("snapshot() reads level by level, in pages, and reports each cut with its reason", async () => {
    const adapter = play({ answers });
    const session = await launch(adapter, { arguments: {}, ...options });
    await session.waitForStop();
    const { frames, cut } = await session.snapshot({ frames: 2, items: 120, valueBytes: 11 });
    assert.deepEqual(cut, { reason: "frames", count: 1 });
    assert.deepEqual(
      frames.map(({ name, scopes }) => [name, scopes.map((each) => each.name)]),
      [
        ["f0", ["Locals", "Globals"]],
        ["f1", []],
      ],
    );
    const [locals, globals] = frames[0]!.scopes;
    assert.deepEqual(globals!.cut, { reason: "expensive", count: 500 });
    const [first, self, text] = locals!.variables;
    assert.deepEqual(text, {
      name: "text",
      value: "é".repeat(5),
      variablesReference: 0,
      isShortened: true,
    });
    assert.deepEqual(
      [first!.variables!.length, first!.variables![115]!.name, first!.cut],
      [116, "115", { reason: "items", count: 134 }],
    );
    assert.deepEqual([self!.variables!.length, self!.cut], [1, undefined]);
    assert.deepEqual(self!.variables![0]!.cut, { reason: "depth" });
    const pages = adapter.written
      .filter(({ command }) => command === "variables")
      .map(({ arguments: { variablesReference, start, count } }) => [
        variablesReference,
        start,
        count,
      ]);
    assert.deepEqual(pages, [
      [1, undefined, undefined],
      [2, 0, 58],
      [3, undefined, undefined],
      [2, 58, 58],
    ]);
    await session.disconnect(quick);
  });

  test("snapshot() cuts a large container of unknown size and leaves budget for its neighbours", async () => {
    const item = (name: string, variablesReference = 0): object => ({
      name,
      value: "v",
      variablesReference,
    });
    const inside: { readonly [reference: number]: readonly object[] } = {
      1: [item("a", 2), item("b", 3)],
      2: list,
      3: [item("only")],
    };
    const adapter = play({
      answers: {
        ...answers,
        scopes: (request) => [
          answer(request, {
            scopes: [{ name: "Locals", variablesReference: 1, expensive: false }],
          }),
        ],
        variables: (request) => {
          const { variablesReference } = request["arguments"] as Fields;
          return [answer(request, { variables: inside[variablesReference] })];
        },
      },
    });
    const session = await launch(adapter, { arguments: {}, ...options });
    await session.waitForStop();
    const { frames } = await session.snapshot();
    const [a, b] = frames[0]!.scopes[0]!.variables;
    assert.deepEqual(
      [a, b].map((each) => [each!.variables!.length, each!.cut]),
      [
        [197, { reason: "items", count: 53 }],
        [1, undefined],
      ],
    );
    await session.disconnect(quick);
  });

  test("snapshot() stays within its depth and byte limits, even for cyclic variables", async () => {
    const session = await launch(play({ answers }), { arguments: {}, ...options });
    await session.waitForStop();
    const deep = await session.snapshot({ depth: 4, items: 2_000, frames: 1 });
    let at = deep.frames[0]!.scopes[0]!.variables[1]!;
    let depth = 1;
    for (; at.variables !== undefined; depth++) at = at.variables[0]!;
    assert.deepEqual([depth, at.cut], [4, { reason: "depth" }]);
    const small = await session.snapshot({ bytes: 100 });
    assert.ok(Buffer.byteLength(JSON.stringify(small)) < 2_000);
    assert.match(JSON.stringify(small), /"reason":"bytes"/);
    await session.disconnect(quick);
  });
});
