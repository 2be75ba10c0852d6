import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ClientPositions, defineAdapter } from "@wirewright/dap/adapter";
import { request } from "../../support/scripted-connection.js";
import { open, initialize, answer, launch } from "../../support/opened-adapter.js";

describe("positions", () => {
  const source = { path: "/a b/c.txt" };
  const adapter = defineAdapter({
    positions: { linesStartAt1: false, columnsStartAt1: false },
    handlers: {
      launch,
      setBreakpoints: ({ breakpoints = [], lines, source: { path = "" } }) => ({
        breakpoints: breakpoints.map(({ line, column = -1 }) => ({
          verified: true,
          line,
          endLine: line + 1,
          column,
          message: `${path} ${lines?.join()}`,
        })),
      }),
    },
  });
  const set = (path: string): object =>
    request(2, "setBreakpoints", {
      source: { path },
      lines: [7],
      breakpoints: [{ line: 7, column: 1 }],
    });
  const body = (line: number, column: number): object => ({
    breakpoints: [
      { verified: true, line, endLine: line + 1, column, message: `${source.path} ${6}` },
    ],
  });

  test("positions are converted if the adapter and the client start counting at different numbers", async () => {
    const { say } = open(adapter);
    await say(initialize());
    const written = await say(set(source.path));
    assert.deepEqual(written, [answer(2, "setBreakpoints", body(7, 1))]);
  });

  test("handlers get 1-based lines and columns and plain paths, whatever format the client requests", async () => {
    const seen: unknown[] = [];
    const plain = defineAdapter({
      handlers: {
        launch,
        setBreakpoints(args) {
          seen.push(args);
          return { breakpoints: [{ verified: true, line: 7, source }] };
        },
      },
    });
    const { say } = open(plain);
    await say(initialize({ linesStartAt1: false, columnsStartAt1: false, pathFormat: "uri" }));
    const written = await say(
      request(2, "setBreakpoints", {
        source: { path: "file:///a%20b/c.txt" },
        breakpoints: [{ line: 6, column: 0 }],
      }),
    );
    assert.deepEqual(seen, [{ source, breakpoints: [{ line: 7, column: 1 }] }]);
    const converted = { verified: true, line: 6, source: { path: "file:///a%20b/c.txt" } };
    assert.deepEqual(written, [answer(2, "setBreakpoints", { breakpoints: [converted] })]);
  });

  test("positions are left alone if the adapter converts them itself", async () => {
    const seen: unknown[] = [];
    const own = defineAdapter({
      positions: "client",
      handlers: {
        launch,
        stackTrace: () => ({ stackFrames: [] }),
        goto: (args) => void seen.push(args),
        gotoTargets: ({ line }) => ({ targets: [{ id: 1, label: "", line }] }),
      },
    });
    const { say } = open(own);
    await say(initialize({ linesStartAt1: false }));
    const written = await say(request(2, "gotoTargets", { source, line: 0 }));
    assert.deepEqual(written, [
      answer(2, "gotoTargets", { targets: [{ id: 1, label: "", line: 0 }] }),
    ]);
  });

  test("individual values are converted in both directions", () => {
    const zero = { linesStartAt1: false, columnsStartAt1: false };
    const toZero = new ClientPositions(zero);
    const toOne = new ClientPositions({}, zero);
    assert.deepEqual(
      [toZero, toOne, new ClientPositions()].map((each) => [
        each.lineToClient(3),
        each.lineFromClient(3),
        each.lineToClient(0),
        each.columnToClient(3),
        each.columnFromClient(3),
        each.areEqual,
      ]),
      [
        [2, 4, 0, 2, 4, false],
        [4, 2, 1, 4, 2, false],
        [3, 3, 0, 3, 3, true],
      ],
    );
  });

  test("paths and URIs are converted, and other strings are left alone", () => {
    const positions = new ClientPositions({ pathFormat: "uri" });
    const pairs = [
      ["/a b/ü#?%.txt", "file:///a%20b/%C3%BC%23%3F%25.txt"],
      ["C:\\a b\\c.txt", "file:///C:/a%20b/c.txt"],
      ["\\\\host\\share\\c.txt", "file://host/share/c.txt"],
      ["untitled:1", "untitled:1"],
      ["<stdin>", "<stdin>"],
      ["git:/a/b", "git:/a/b"],
    ] as const;
    for (const [path, uri] of pairs) {
      assert.equal(positions.pathToClient(path), uri);
      assert.equal(positions.pathFromClient(uri), path);
    }
    assert.equal(positions.pathFromClient("file:///c%3A/d"), "c:\\d");
    assert.equal(positions.pathFromClient("file:///%zz"), "file:///%zz");
    const reverse = new ClientPositions({}, { pathFormat: "uri" });
    assert.deepEqual(
      [reverse.pathToClient("file:///a"), reverse.pathFromClient("/a")],
      ["/a", "file:///a"],
    );
  });
});
