import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checks, type CheckResult } from "../../conformance/index.js";
import { startAdapter } from "../../conformance/session/adapter-target.js";
import { fillIn } from "../../conformance/session/programs.js";
import type { Transport } from "@wirewright/dap/connection";
import { lintRules } from "wirewright";
import { after, event, variable } from "../support/reference/message-changes.js";
import { mutants } from "../support/reference/mutants.js";
import { mutated, type Mutant } from "../support/reference/mutated-transport.js";
import {
  referenceResults,
  referenceSuite,
  stepsLanguage,
} from "../support/reference/reference-suite.js";

const suite = await referenceSuite(stepsLanguage(), {
  terminal: { terminal: true },
  attach: { arguments: { program: "${program}", pid: "${pid}" } },
});

async function resultsOf(mutant?: Mutant, isServer = false): Promise<readonly CheckResult[]> {
  const adapter = {
    isServer: mutant?.isServer ?? isServer,
    mistake: mutant?.check,
    change: (transport: Transport) =>
      mutant === undefined ? transport : mutated(transport, mutant),
  };
  return [...(await referenceResults(suite, () => adapter, { parallel: 12 })).values()];
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

test("a stop that overtakes a response with a lower number is inconclusive", async () => {
  const results = await resultsOf({
    check: "run-01",
    keepsNumbers: true,
    send: (message, state) => {
      if (message["command"] === "stepIn" && message["success"] === true) {
        state["late"] = message;
        return [];
      }
      const { late } = state;
      if (message["event"] !== "stopped" || late === undefined) return message;
      delete state["late"];
      return [message, late];
    },
  });
  assert.deepEqual(namesOf(results, "fail"), []);
  const { status, text } = results.find(({ check }) => check === "run-01")!;
  assert.equal(status, "inconclusive");
  assert.match(text!, /response yet, which has the lower number$/);
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

for (const [title, delayed] of [
  [
    "launch may fail after the client has refused the terminal",
    '"command":"launch","success":false',
  ],
  ["the configuration may begin after the client has refused", '"event":"initialized"'],
] as const)
  test(title, async () => {
    const change = (transport: Transport): Transport => ({
      ...transport,
      read: (onBytes, onEnd) =>
        transport.read((bytes) => {
          const isDelayed = Buffer.from(bytes).includes(delayed);
          setTimeout(() => onBytes(bytes), isDelayed ? 1_500 : 0);
        }, onEnd),
    });
    const results = await referenceResults({ ...suite, timeoutMs: 500 }, () => ({ change }), {
      only: ["terminal-refused"],
    });
    assert.deepEqual(namesOf([...results.values()], "fail"), []);
    assert.equal(results.get("term-02")?.status, "pass");
  });

test("a configuration that begins after the launch has failed is awaited", async () => {
  const mutant: Mutant = {
    check: "base-18",
    receive: (message) =>
      message["command"] === "launch"
        ? { ...message, arguments: { program: "missing.steps" } }
        : message,
    send(message) {
      if (message["event"] === "initialized") return [];
      if (message["command"] !== "launch") return message;
      const args = { args: ["true"], cwd: "" };
      const terminal = { type: "request", command: "runInTerminal", arguments: args };
      return [terminal, message, event("initialized", {})];
    },
  };
  const change = (given: Transport): Transport => {
    const transport = mutated(given, mutant);
    let held = Buffer.alloc(0);
    return {
      ...transport,
      read: (onBytes, onEnd) =>
        transport.read((bytes) => {
          const all = Buffer.concat([held, bytes]);
          // The failure of the launch and the event arrive together.
          held = Buffer.from(bytes).includes('"command":"launch"') ? all : Buffer.alloc(0);
          if (held.length > 0) return;
          const isLate = all.includes('"command":"configurationDone"');
          setTimeout(() => onBytes(all), isLate ? 300 : 0);
        }, onEnd),
    };
  };
  const results = await referenceResults(suite, () => ({ change }), { only: ["terminal-refused"] });
  assert.deepEqual(namesOf([...results.values()], "fail"), []);
  assert.equal(results.get("term-02")?.status, "pass");
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
  const change = (transport: Transport): Transport => mutated(transport, mutant);
  const results = await referenceResults(suite, () => ({ change }), { only: ["steps"] });
  const reasons = [...results.values()].flatMap((each) =>
    Object.values(each).filter((value) => /has ended/.test(String(value))),
  );
  assert.deepEqual(
    [...new Set(reasons)],
    ['no stopped event: the program has ended, after "No module named data"'],
  );
});

test("names are replaced in strings, whatever they stand for", () => {
  assert.deepEqual(
    fillIn(
      { program: "${program}", args: ["-p=${port}"], port: "${port}" },
      { program: 'C:\\a "b"', port: 7 },
    ),
    { program: 'C:\\a "b"', args: ["-p=7"], port: 7 },
  );
});

test('the suite connects to a server once the server has printed its "ready" string', async () => {
  const early = `const server = require("node:net").createServer((socket) => isReady ? socket.end("hello") : socket.destroy());
    let isReady = false;
    server.listen(Number(process.argv[1]), "127.0.0.1", () => setTimeout(() => { isReady = true; console.error("now ready"); }, 300));`;
  const command = [process.execPath, "-e", early, "${port}"];
  const adapter = await startAdapter({ command, ready: "now ready" }, {});
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
  const other = await startAdapter({ command: silent, ready: "now ready" }, {});
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
      // Authors of adapters do not know the names of lint rules.
      assert.deepEqual(
        [...lintRules.keys()].filter((rule) => expected.includes(rule)),
        [],
      );
    });
});
