import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  checks,
  languages,
  openSuite,
  runSuite,
  type CheckResult,
} from "../../conformance/index.js";
import { startAdapter } from "../../conformance/session/adapter-target.js";
import type { Transport } from "@wirewright/dap/connection";
import { fromRoot } from "../support/paths.js";
import { after, event, variable } from "../support/reference/message-changes.js";
import { mutants } from "../support/reference/mutants.js";
import { mutated, type Mutant } from "../support/reference/mutated-transport.js";
import { referenceAdapter } from "../support/reference/reference-adapter.js";

const language = {
  ...languages().get("python")!,
  extension: "steps",
  run: ["sleep", "60"],
  launch: { program: "${program}" },
};

const suite = await openSuite({
  target: { command: ["true"] },
  language: "python",
  own: { language, folder: fromRoot("test/fixtures/conformance") },
  terminal: { terminal: true },
  attach: { arguments: { program: "${program}", pid: "${pid}" } },
  timeoutMs: 4_000,
});

async function resultsOf(mutant?: Mutant, isServer = false): Promise<readonly CheckResult[]> {
  const open = () =>
    referenceAdapter({
      isServer: mutant?.isServer ?? isServer,
      ...(mutant === undefined
        ? {}
        : { mistake: mutant.check, change: (transport) => mutated(transport, mutant) }),
    });
  return (await runSuite({ ...suite, target: { open } }, { parallel: 12 })).checks;
}

const namesOf = (
  results: readonly CheckResult[],
  status: CheckResult["status"],
): readonly string[] => results.filter((each) => each.status === status).map(({ check }) => check);

test("the reference adapter passes every check, both on standard streams and as a server", async () => {
  const [alone, served] = [await resultsOf(), await resultsOf(undefined, true)];
  const others = [...alone, ...served].filter(
    ({ status }) => status === "fail" || status === "blocked",
  );
  assert.deepEqual(others, []);
  const passed = new Set([...namesOf(alone, "pass"), ...namesOf(served, "pass")]);
  assert.deepEqual(
    checks.map(({ id }) => id).filter((id) => !passed.has(id)),
    [],
  );
});

test("message numbers that grow by 2 fail the message id check", async () => {
  const results = await resultsOf({
    check: "base-02",
    keepsNumbers: true,
    send: (message, state) => {
      state["sent"] = (state["sent"] ?? -1) + 2;
      return { ...message, seq: state["sent"] };
    },
  });
  assert.deepEqual(namesOf(results, "fail"), ["base-02"]);
  const { expected, actual } = results.find(({ check }) => check === "base-02")!;
  assert.deepEqual(
    [expected, actual],
    ["the number 2 for one of the first 2 messages", "[1,3,5,7]"],
  );
});

test("messages that arrive out of order pass the message id check", async () => {
  const results = await resultsOf({
    check: "base-02",
    keepsNumbers: true,
    send: (message, state) => {
      if (message["event"] === "module") {
        state["late"] = message;
        return [];
      }
      const { late } = state;
      delete state["late"];
      return late === undefined ? message : [message, late];
    },
  });
  assert.deepEqual(namesOf(results, "fail"), []);
});

/** Things that real adapters do and the protocol allows. */
const accepted: Readonly<Record<string, Mutant["send"]>> = {
  "a breakpoint is verified at first, and an event corrects it": (message) => {
    if (message["command"] !== "setBreakpoints") return message;
    const all = message["body"].breakpoints as Record<string, unknown>[];
    const isBad = (each: Record<string, unknown>): boolean =>
      each["message"] === "there is no such line";
    const breakpoints = all.map((each) =>
      isBad(each) ? { id: each["id"], verified: true, line: 99_999 } : each,
    );
    return [
      { ...message, body: { breakpoints } },
      ...all
        .filter(isBad)
        .map(({ id }) =>
          event("breakpoint", { reason: "changed", breakpoint: { id, verified: false } }),
        ),
    ];
  },
  "variables are those of the stop until the program continues": (message, state) => {
    const { command } = message;
    if (command === "setVariable" || command === "setExpression") state["isSet"] = true;
    return command === "variables" && state["isSet"] === true
      ? variable("total", { value: "0" })(message, state)
      : message;
  },
  "a program that restarts has its modules again": after("restart", () => [
    event("module", { reason: "new", module: { id: 1, name: "module 1" } }),
  ]),
};

describe("accepted", { concurrency: 4 }, () => {
  for (const [title, send] of Object.entries(accepted))
    test(title, async () => {
      let changes = 0;
      const results = await resultsOf({
        check: title,
        send(message, state) {
          const changed = send!(message, state);
          if (changed !== message) changes++;
          return changed;
        },
      });
      assert.deepEqual(namesOf(results, "fail"), []);
      assert.ok(changes > 0);
    });
});

test("launch may fail after the client has refused the terminal", async () => {
  const late = (transport: Transport): Transport => ({
    ...transport,
    read: (onBytes, onEnd) =>
      transport.read((bytes) => {
        const isRefusal = /"command":"launch","success":false/.test(Buffer.from(bytes).toString());
        setTimeout(() => onBytes(bytes), isRefusal ? 1_500 : 0);
      }, onEnd),
  });
  const target = { open: () => referenceAdapter({ change: late }) };
  const { checks: results } = await runSuite(
    { ...suite, target, timeoutMs: 500 },
    { only: ["terminal-refused"] },
  );
  assert.deepEqual(namesOf(results, "fail"), []);
  assert.equal(results.find(({ check }) => check === "term-02")?.status, "pass");
});

test("a case that waits for a stop reports the stderr output of a program that has ended", async () => {
  const ended = [
    event("output", { category: "stderr", output: "first\n" }),
    event("output", { category: "stderr", output: "No module named data\n" }),
    event("terminated", {}),
  ];
  const mutant: Mutant = {
    check: "stop-01",
    send: (message) => (message["event"] === "stopped" ? ended : message),
  };
  const open = () => referenceAdapter({ change: (transport) => mutated(transport, mutant) });
  const target = { open };
  const { checks: results } = await runSuite({ ...suite, target }, { only: ["steps"] });
  const reasons = results.flatMap((each) =>
    Object.values(each).filter((value) => /has ended/.test(String(value))),
  );
  assert.deepEqual(
    [...new Set(reasons)],
    ['no stopped event: the program has ended, after "No module named data"'],
  );
});

test('the suite connects to a server once the server has printed its "ready" string', async () => {
  const early = `const server = require("node:net").createServer((socket) => isReady ? socket.end("hello") : socket.destroy());
    let isReady = false;
    server.listen(Number(process.argv[1]), "127.0.0.1", () => setTimeout(() => { isReady = true; console.error("now ready"); }, 300));`;
  const command = [process.execPath, "-e", early, "${port}"];
  const same = (text: string): string => text;
  const adapter = await startAdapter({ command, ready: "now ready" }, same);
  const transport = await adapter.connect();
  const received = await new Promise<string>((resolve) => {
    let text = "";
    transport.read(
      (bytes) => {
        text += Buffer.from(bytes).toString();
      },
      () => resolve(text),
    );
  });
  assert.equal(received, "hello");
  await adapter.stop();
  const silent = [process.execPath, "-e", "process.argv", "${port}"];
  const other = await startAdapter({ command: silent, ready: "now ready" }, same);
  await assert.rejects(other.connect(), { message: 'the adapter has not printed "now ready"' });
  await other.stop();
});

test("each check has a mutant", () => {
  const ids = checks.map(({ id }) => id);
  assert.deepEqual([...new Set(ids)], ids);
  assert.deepEqual(mutants.map(({ check }) => check).toSorted(), ids.toSorted());
});

describe("mutants", { concurrency: 8 }, () => {
  for (const mutant of mutants)
    test(`each mutant of the reference adapter fails only the check ${mutant.check}`, async () => {
      const results = await resultsOf(mutant);
      assert.deepEqual(namesOf(results, "fail"), [mutant.check]);
      const { expected, actual } = results.find(({ check }) => check === mutant.check)!;
      assert.ok(expected !== undefined && actual !== undefined && expected !== "");
    });
});
