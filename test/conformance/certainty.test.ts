import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { shortened } from "../../conformance/session/verdict.js";
import type { Transport } from "@wirewright/dap/connection";
import { LintSession, openProtocol, readRecording } from "../../cli/index.js";
import { cases } from "../../conformance/cases/cases.js";
import type { CheckResult, RunOptions, SuiteOptions } from "../../conformance/index.js";
import { breaking } from "../../conformance/run/recordings.js";
import { withFolder } from "../support/compile.js";
import { event, fail } from "../support/reference/message-changes.js";
import { mutated, type Mutant } from "../support/reference/mutated-transport.js";
import { referenceResults, referenceSuite } from "../support/reference/reference-suite.js";

/**
 * Runs cases with an adapter.
 *
 * @param change Changes the transport of the session with the given number, counted from 1. The
 * first session only reads the capabilities.
 */
async function resultsOf(
  only: readonly string[] | undefined,
  change: (transport: Transport, session: number) => Transport,
  { parallel, ...more }: Partial<SuiteOptions> & RunOptions = {},
): Promise<ReadonlyMap<string, CheckResult>> {
  return referenceResults(
    await referenceSuite(undefined, { timeoutMs: 500, ...more }),
    (session) => ({ change: (transport) => change(transport, session) }),
    { only, parallel },
  );
}

const mutant = (send: Mutant["send"]): Mutant => ({ check: "none", send });

/** Delays the adapter's bytes, which stay in order. */
const delayed =
  (msOf: (text: string) => number) =>
  (transport: Transport): Transport => ({
    ...transport,
    read(onBytes, onEnd) {
      let last = Promise.resolve();
      transport.read((bytes) => {
        const ms = msOf(Buffer.from(bytes).toString());
        const due = new Promise((resolve) => setTimeout(resolve, ms));
        last = last.then(async () => {
          await due;
          await onBytes(bytes);
        });
      }, onEnd);
    },
  });

/** The statuses of checks, such as `fail`, by id. */
const statusesOf = (
  results: ReadonlyMap<string, CheckResult>,
  ids: readonly string[],
): readonly (string | undefined)[] => ids.map((id) => results.get(id)?.status);

const failuresIn = (results: ReadonlyMap<string, CheckResult>): readonly string[] =>
  [...results.values()].filter(({ status }) => status === "fail").map(({ check }) => check);

const wrongReason = mutant((message) =>
  message["event"] === "stopped"
    ? { ...message, body: { ...message["body"], reason: "pause" } }
    : message,
);

test("a failure that does not occur again is inconclusive, and both recordings are kept", () =>
  withFolder(async (recordings) => {
    for (const [failing, text, differsIn] of [
      [[2], "fail at first, then pass and pass when the case ran again alone", 1],
      [[2, 3], "fail at first, then fail and pass when the case ran again alone", 2],
    ] as const) {
      const change = (transport: Transport, session: number): Transport =>
        failing.some((each) => each === session) ? mutated(transport, wrongReason) : transport;
      const results = await resultsOf(["breakpoint-hit"], change, { recordings });
      const { status, text: actual, differsIn: repetition } = results.get("bp-06")!;
      assert.deepEqual([status, actual, repetition], ["inconclusive", text, differsIn]);
    }
    assert.deepEqual(
      readdirSync(recordings).sort(),
      ["-again-1", "-again-2", ""].map((suffix) => `breakpoint-hit${suffix}.jsonl`),
    );
  }));

test("a failure that occurs three times counts once, and only its case runs again", async () => {
  const names: number[] = [];
  const results = await resultsOf(["breakpoint-hit", "continue"], (transport, session) => {
    names.push(session);
    return mutated(transport, wrongReason);
  });
  assert.deepEqual(failuresIn(results), ["bp-06"]);
  // The capabilities, two cases, and two repetitions.
  assert.equal(names.length, 5);
});

test("a finding of a lint rule that does not occur again is inconclusive", async () => {
  const twice = mutant((message) =>
    message["event"] === "process" ? [message, event("initialized")] : message,
  );
  const results = await resultsOf(["continue"], (transport, session) =>
    session === 2 ? mutated(transport, twice) : transport,
  );
  assert.deepEqual(statusesOf(results, ["init-08"]), ["inconclusive"]);
});

test("a check that was blocked only once takes the verdict of the repetitions", async () => {
  const refused = mutant(fail("scopes"));
  const results = await resultsOf(["evaluate-hover"], (transport, session) =>
    session === 2 ? mutated(transport, refused) : transport,
  );
  assert.deepEqual(statusesOf(results, ["evl-06"]), ["pass"]);
});

test("deadlines grow with the adapter's speed", async () => {
  const slow = delayed((text) => (text.includes('"command":"threads"') ? 1_200 : 300));
  const results = await resultsOf(["threads-early"], slow);
  assert.deepEqual(statusesOf(results, ["thr-01", "base-18"]), ["pass", "pass"]);
});

/** Splits the response to `evaluate` into parts, of which the last one never arrives. */
const trickled =
  (parts: number, isWhole: boolean) =>
  (transport: Transport): Transport => ({
    ...transport,
    read: (onBytes, onEnd) =>
      transport.read((bytes) => {
        const size = Math.ceil(bytes.length / parts);
        if (!Buffer.from(bytes).toString().includes('"command":"wirewrightUnknown"'))
          return onBytes(bytes);
        for (let part = 0; part < parts - (isWhole ? 0 : 1); part++)
          setTimeout(() => onBytes(bytes.slice(part * size, (part + 1) * size)), 250 * part);
        return undefined;
      }, onEnd),
  });

test("while a response is arriving, the suite waits for the rest of it", async () => {
  const results = await resultsOf(["unknown-command"], trickled(5, true));
  assert.deepEqual(statusesOf(results, ["base-05", "base-18"]), ["pass", "pass"]);
});

test("nothing follows from a message that the suite cut off", async () => {
  const results = await resultsOf(["unknown-command"], trickled(20, true));
  assert.deepEqual(statusesOf(results, ["base-05", "base-18"]), ["inconclusive", "inconclusive"]);
  const { text = "" } = results.get("base-05")!;
  assert.match(
    text,
    /^no response to wirewrightUnknown within \d+ ms; a message was still arriving$/,
  );
});

test("a response that stops arriving is missing", async () => {
  const results = await resultsOf(["unknown-command"], trickled(3, false));
  assert.deepEqual(statusesOf(results, ["base-05"]), ["fail"]);
  const { status, blockedOn } = results.get("base-18")!;
  assert.deepEqual([status, blockedOn], ["blocked", "base-05"]);
});

test("launch may fail after the configuration has failed", async () => {
  const changed = (transport: Transport): Transport =>
    delayed((text) => (/"command":"launch","success":false/.test(text) ? 200 : 0))(
      mutated(transport, {
        check: "none",
        send: (message, state) => {
          if (message["command"] === "launch" && message["success"] === false)
            state["hasFailed"] = true;
          return message["command"] === "configurationDone" && state["hasFailed"] === true
            ? { ...message, success: false, message: "there is no program", body: {} }
            : message;
        },
      }),
    );
  const results = await resultsOf(["launch-missing"], changed);
  assert.deepEqual(statusesOf(results, ["launch-04"]), ["pass"]);
});

test("the event that verifies a breakpoint may come after the stop", async () => {
  const late = mutant((message, state) => {
    if (message["command"] === "setBreakpoints") {
      const breakpoints = (message["body"].breakpoints as { id: number }[]).map((each) => ({
        ...each,
        verified: false,
      }));
      state["id"] = breakpoints[0]?.id;
      return { ...message, body: { breakpoints } };
    }
    if (message["event"] === "breakpoint") return [];
    return message["event"] === "stopped"
      ? [
          message,
          event("breakpoint", {
            reason: "changed",
            breakpoint: { id: state["id"], verified: true },
          }),
        ]
      : message;
  });
  const changed = (transport: Transport): Transport =>
    delayed((text) => (text.includes('"event":"breakpoint"') ? 100 : 0))(mutated(transport, late));
  const results = await resultsOf(["breakpoint-hit"], changed);
  assert.deepEqual(statusesOf(results, ["bp-04"]), ["pass"]);
});

test("output may come after the end of the program", async () => {
  const late = mutant((message, state) => {
    if (message["event"] === "output") {
      state["output"] = [...(state["output"] ?? []), message];
      return [];
    }
    return message["event"] === "terminated" ? [message, ...(state["output"] ?? [])] : message;
  });
  const changed = (transport: Transport): Transport =>
    delayed((text) => (text.includes('"event":"output"') ? 100 : 0))(mutated(transport, late));
  const results = await resultsOf(["whole-run"], changed);
  assert.deepEqual(statusesOf(results, ["out-01", "out-02"]), ["pass", "pass"]);
});

test("threads may answer notStopped until the program stops", async () => {
  const running = mutant((message, state) => {
    if (message["event"] === "stopped" || message["command"] === "continue")
      state["isStopped"] = message["event"] === "stopped";
    return message["command"] === "threads" && state["isStopped"] !== true
      ? { ...message, success: false, message: "notStopped", body: {} }
      : message;
  });
  const late = (transport: Transport): Transport =>
    delayed((text) => (text.includes('"event":"stopped"') ? 100 : 0))(mutated(transport, running));
  const results = await resultsOf(["threads-early", "breakpoint-while-running"], late);
  assert.deepEqual(statusesOf(results, ["thr-01", "thr-03"]), ["pass", "not-applicable"]);
});

test("nothing is held against an adapter after the suite has broken a rule", async () => {
  const again = mutant((message, state) => {
    if (message["command"] !== "initialize") return message;
    state["count"] = (state["count"] ?? 0) + 1;
    return state["count"] === 2 ? [message, event("initialized")] : message;
  });
  const results = await resultsOf(["initialize-twice"], (transport) => mutated(transport, again));
  assert.deepEqual(failuresIn(results), []);
});

test("a failure without a body deviates from the schema, but does not count", async () => {
  const bare = mutant((message) => {
    const { body: _, ...rest } = message;
    return message["success"] === false ? rest : message;
  });
  const results = await resultsOf(["unknown-command"], (transport) => mutated(transport, bare));
  assert.deepEqual(statusesOf(results, ["base-08", "base-09"]), ["pass", "pass"]);
});

test("one fault is one failure, and what follows from it is listed under it", async () => {
  for (const [name, check, followers] of [
    ["terminated", "end-01", ["bp-18", "end-05"]],
    ["initialized", "launch-01", ["bp-06", "end-06"]],
  ] as const) {
    const silent = mutant((message) => (message["event"] === name ? [] : message));
    const results = await resultsOf(undefined, (transport) => mutated(transport, silent), {
      parallel: 12,
    });
    const scored = failuresIn(results).filter((each) => results.get(each)?.level !== "info");
    assert.deepEqual(scored, [check], name);
    assert.deepEqual(
      followers.map((each) => [results.get(each)?.status, results.get(each)?.blockedOn]),
      followers.map(() => ["blocked", check]),
    );
  }
});

test("an early initialized event fails its own check, and does not pass the check of early messages", async () => {
  const early = mutant((message, state) => {
    if (message["event"] === "initialized" && state["isEarly"] === true) return [];
    if (message["command"] !== "initialize") return message;
    state["isEarly"] = true;
    return [event("initialized"), message];
  });
  const results = await resultsOf(["whole-run"], (transport) => mutated(transport, early));
  assert.deepEqual(statusesOf(results, ["init-01", "init-02"]), ["blocked", "fail"]);
});

test("the suite breaks no rule except on purpose", () =>
  withFolder(async (recordings) => {
    await resultsOf(undefined, (transport) => transport, {
      recordings,
      parallel: 8,
      timeoutMs: 4_000,
      terminal: { terminal: true },
    });
    const protocol = await openProtocol("dap");
    const broken: string[] = [];
    for (const { name, breaksRules } of cases) {
      const bytes = (() => {
        try {
          return readFileSync(join(recordings, `${name}.jsonl`));
        } catch {
          return undefined;
        }
      })();
      if (bytes === undefined) continue;
      const session = new LintSession(protocol, {
        isFromStart: true,
        onFinding: ({ from, rule, severity }) => {
          if (from !== "client" || severity === "info" || rule === "request.unanswered") return;
          if (breaksRules !== true || !breaking.has(rule)) broken.push(`${name} ${rule}`);
        },
      });
      for (const { line: _, session: _session, ...entry } of readRecording(
        [{ name, bytes }],
        protocol,
      ))
        session.push(entry);
      session.end();
    }
    assert.deepEqual(broken, []);
  }));

test("text from an adapter is shown without control characters", () => {
  assert.equal(
    shortened("\x1b[31mred\u202e\tand\nmore\x9b"),
    "\\u001b[31mred\\u202e\tand\nmore\\u009b",
  );
  assert.equal(shortened({ a: 1 }), '{"a":1}');
});
