import assert from "node:assert/strict";
import { test } from "node:test";
import { defineAdapter, type HostCheck } from "@wirewright/dap/adapter";
import { connect, inlineTransports, type Problem } from "@wirewright/dap/connection";
import { openHost } from "../../../cli/index.js";

const definition = {
  session: () => ({}),
  handlers: {
    launch: () => undefined,

    stackTrace: () => ({ stackFrames: [{ id: 1, name: "", line: 1, column: 1 }] }),
    scopes: () => ({ scopes: [] }),
  },
};

/** Runs a session with the adapter and returns the reported problems. */
async function problemsWith(hosts: readonly HostCheck[]): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const [one, other] = inlineTransports();
  const adapter = defineAdapter({ ...definition, hosts });
  const served = adapter(other, { onProblem: (problem) => problems.push(problem) });
  const client = connect("client", one);
  await client.request("initialize", { adapterID: "a", pathFormat: "path" });
  await client.request("launch", {});
  void served.notify("stopped", { reason: "pause", threadId: 1, allThreadsStopped: false });
  await client.once("stopped");
  await client.request("stackTrace", { threadId: 1 });
  await client.request("disconnect");
  await served.closed;
  return problems;
}

test("an adapter with hosts reports messages that Visual Studio does not accept", async () => {
  const problems = await problemsWith([await openHost("visual-studio")]);
  assert.deepEqual(
    problems.map(({ code, message }) => [code, /\((VS-[A-Z]+\d+)/.exec(message)?.[1]]),
    ["I1", "X6", "X6", "X6", "G5", "ST3", "ST5"].map((rule) => ["ERR_HOST", `VS-${rule}`]),
  );
  const { message, subject } = problems.at(-1)!;
  assert.equal(
    message,
    "Visual Studio (VS-ST5, /body/threadId): A `stopped` event names a thread that does not exist. Visual Studio ends the session.",
  );
  assert.equal((subject as { event?: unknown }).event, "stopped");
});

test("an adapter without hosts reports nothing", async () => {
  assert.deepEqual(await problemsWith([]), []);
});

test("a host check receives both sides' messages as they are on the wire, and its exceptions do not affect the session", async () => {
  const seen: unknown[] = [];
  let ends = 0;
  const host: HostCheck = {
    judge: (onFinding) => ({
      see(from, message) {
        seen.push([from, message]);
        if (from === "adapter" && seen.length === 2) onFinding("It ends.");
        throw new Error("broken");
      },
      end() {
        ends++;
        onFinding("It was short.");
        throw new Error("broken");
      },
    }),
  };
  const problems = await problemsWith([host]);
  const initialize = { adapterID: "a", pathFormat: "path" };
  assert.deepEqual(seen[0], [
    "client",
    { seq: 1, type: "request", command: "initialize", arguments: initialize },
  ]);
  assert.deepEqual(
    seen.slice(1, 3).map((each) => {
      const [from, { type }] = each as [string, { type: string }];
      return [from, type];
    }),
    [
      ["adapter", "response"],
      ["adapter", "event"],
    ],
  );
  assert.equal(ends, 1);
  assert.deepEqual(problems, [
    {
      code: "ERR_HOST",
      message: "It ends.",
      subject: (seen[1] as [string, object])[1],
    },
    { code: "ERR_HOST", message: "It was short." },
  ]);
});

test("an invalid hosts list is refused", () => {
  assert.throws(() => defineAdapter({ ...definition, hosts: ["visual-studio"] as never }), {
    name: "TypeError",
    message: /hosts/,
  });
});
