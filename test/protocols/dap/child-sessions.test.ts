import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Transport } from "@wirewright/dap/connection";
import { launch, type DebugSession } from "@wirewright/dap/session";
import { type ScriptedAdapter, answer, refusal } from "../../support/scripted-adapter.js";
import { options, play, quick, shown, stopped } from "../../support/played-session.js";

describe("a session handles child sessions and terminals", () => {
  test("startDebugging opens a child session with its parent's breakpoints, and the child ends with its parent", async () => {
    const opened: ScriptedAdapter[] = [];
    const open = (): Transport => {
      const isChild = opened.length > 0;
      const adapter = play({
        answers: {
          configurationDone: (request) => [
            answer(request),
            isChild
              ? stopped("breakpoint", 5)
              : {
                  type: "request",
                  command: "startDebugging",
                  arguments: { request: "attach", configuration: { __pendingTargetId: "7" } },
                },
          ],
        },
      });
      opened.push(adapter);
      return adapter;
    };
    const children: DebugSession[] = [];
    const events: string[] = [];
    const root = await launch(open, {
      arguments: {},
      ...options,
      onChild: (child) => void children.push(child),
      onEvent: ({ event: name }, session) =>
        void events.push(`${session.parent === undefined ? "root" : "child"} ${name}`),
    });
    const stop = await root.waitForStop();
    assert.deepEqual(shown(stop), ["stopped", "breakpoint", 5]);
    assert.ok(stop.kind === "stopped" && stop.session !== root);
    assert.equal(stop.session.parent, root);
    assert.deepEqual(root.children, [stop.session]);
    assert.equal(opened[0]!.written[0]!["arguments"].supportsStartDebuggingRequest, true);
    assert.equal(opened[0]!.written.at(-1)!["success"], true);
    assert.deepEqual(
      opened[1]!.written
        .slice(1, 3)
        .map(({ command, arguments: { source, __pendingTargetId } }) => [
          command,
          source?.path,
          __pendingTargetId,
        ]),
      [
        ["attach", undefined, "7"],
        ["setBreakpoints", "/a.c", undefined],
      ],
    );
    await root.setBreakpoints("/a.c", [30]);
    assert.deepEqual(
      opened.map((each) =>
        (each.written.at(-1)!["arguments"].breakpoints as { line: number }[]).map(
          ({ line }) => line,
        ),
      ),
      [[30], [30]],
    );
    await root.disconnect(quick);
    assert.deepEqual(
      opened.map((each) => each.requests.at(-1)),
      ["disconnect", "disconnect"],
    );
    assert.deepEqual(
      [root.children, stop.session.connection.isClosed, children],
      [[], true, [stop.session]],
    );
    assert.deepEqual(events, ["root initialized", "child initialized", "child stopped"]);
  });

  test("a child session that fails is reported, and its parent continues", async () => {
    const asking = {
      type: "request",
      command: "startDebugging",
      arguments: { request: "launch", configuration: { program: "b" } },
    };
    const root = play({ answers: { configurationDone: (request) => [answer(request), asking] } });
    const failures: string[] = [];
    const failed = new Promise<void>((resolve) => {
      void launch(root, {
        arguments: {},
        ...options,
        connectChild: () => play({ answers: { launch: (request) => [refusal(request, "no b")] } }),
        onChildFailure: (error, { configuration }) => {
          failures.push(`${(error as Error).message} ${JSON.stringify(configuration)}`);
          resolve();
        },
      });
    });
    await failed;
    assert.deepEqual(failures, ['no b {"program":"b"}']);
    root.end();
  });

  test("the client's callback responds to runInTerminal", async () => {
    const asking = {
      type: "request",
      command: "runInTerminal",
      arguments: { args: ["a", "b"], cwd: "/" },
    };
    const adapter = play({
      answers: { launch: (request) => [answer(request), asking] },
    });
    const session = await launch(adapter, {
      arguments: {},
      ...options,
      runInTerminal: ({ args }) => ({ processId: args.length }),
    });
    assert.equal(adapter.written[0]!["arguments"].supportsRunInTerminalRequest, true);
    assert.deepEqual(adapter.written.find(({ type }) => type === "response")!["body"], {
      processId: 2,
    });
    await session.disconnect(quick);
  });
});
