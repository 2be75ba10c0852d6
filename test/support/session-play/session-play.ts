/**
 * A conversation between a session and a hostile adapter, and the conditions that must hold
 * throughout.
 */
import type { DebugSession, StopSnapshot } from "@wirewright/dap/session";
import assert from "node:assert/strict";
import {
  createStage,
  fieldsIn,
  HostileAdapter,
  type AdapterScript,
  type Fields,
  type Stage,
  wholeOf,
} from "./hostile-adapter.js";
import { findContradiction, type ShownBudget, type ShownPart } from "../variable-tree.js";
import { findUnlikelyState } from "./session-model.js";
import { VirtualTime } from "./virtual-time.js";
import { WatchedCalls } from "./watched-calls.js";

export type Dap = typeof import("@wirewright/dap") &
  typeof import("@wirewright/dap/session") &
  typeof import("@wirewright/dap/validators");

export interface SessionScript {
  readonly start: "launch" | "attach";
  readonly options: Fields;
  readonly adapter: AdapterScript;
  /**
   * The client's actions, in order. The action that follows one with `later` does not wait for it.
   */
  readonly calls: readonly Fields[];
}

/** The limits to open the session with. */
const maxChildren = 4;
const maxChildDepth = 2;
const ending = { terminateMs: 30, disconnectMs: 20, closeMs: 20 };

/**
 * How long ending a tree of sessions may take, in milliseconds. The levels end one after another,
 * each with `destroy` in the worst case.
 */
const endMs = (maxChildDepth + 1) * (30 + 20 + 20 + 1_100);

export class SessionPlay {
  readonly #dap: Dap;
  readonly #script: SessionScript;
  readonly #time = new VirtualTime();
  readonly #stage: Stage;
  readonly #adapters: HostileAdapter[] = [];
  readonly #calls = new WatchedCalls(this.#time);
  readonly #timeoutMs: number;
  #abort: AbortController | undefined;
  #root: DebugSession | undefined;
  #session: DebugSession | undefined;
  #snapshot: StopSnapshot | undefined;
  /**
   * How many messages had been delivered before the latest call that resumes the program.
   * `#restarted` is the same for the latest call that restarts it.
   */
  #resumed = 0;
  #restarted = 0;

  constructor(dap: Dap, script: SessionScript) {
    this.#dap = dap;
    this.#script = script;
    const { timeoutMs } = script.options;
    this.#timeoutMs =
      typeof timeoutMs === "number" && timeoutMs >= 1 ? Math.min(timeoutMs, 500) : 50;
    this.#stage = createStage(dap, this.#time);
  }

  async run(): Promise<void> {
    const restore = this.#time.install();
    try {
      await this.#start();
      for (const call of this.#script.calls) {
        await this.#take(call);
        // It takes a connection a turn or two of the event loop to end.
        const soon = this.#time.now + 3;
        while (await this.#time.advance(soon));
        this.#assertState();
      }
      await this.#finish();
    } finally {
      restore();
    }
  }

  #open = (): HostileAdapter["transport"] => {
    if (this.#adapters.length > 40) throw new Error("too many adapters");
    const adapter = new HostileAdapter(this.#stage, this.#script.adapter);
    this.#adapters.push(adapter);
    return adapter.transport;
  };

  async #start(): Promise<void> {
    const { start, options } = this.#script;
    const count = (value: unknown): number => Math.min(5, wholeOf(value) ?? 0);
    const paths = Array.from({ length: count(options["breakpoints"]) }, (_, at) => `${at}.c`);
    const given = {
      arguments: {},
      timeoutMs: this.#timeoutMs,
      connection: {
        timeoutMs: this.#timeoutMs,
        onProblem: () => undefined,
        onUnhandled: () => undefined,
      },
      breakpoints: Object.fromEntries(paths.map((path) => [path, [1, 2]])),
      functionBreakpoints: Array.from({ length: count(options["functions"]) }, () => "f"),
      maxChildren,
      maxChildDepth,
      ...(options["terminal"] ? { runInTerminal: () => ({ processId: 1 }) } : {}),
    };
    // The time limit applies to each step of starting a session.
    const limitMs = this.#timeoutMs * (6 + paths.length);
    const target = options["children"] ? this.#open : this.#open();
    const started = this.#calls.watch(start, limitMs, this.#dap[start](target, given));
    this.#session = this.#root = (await this.#calls.until(started)) as DebugSession | undefined;
  }

  async #take(call: Fields): Promise<void> {
    const { do: what, with: given, later } = call;
    const [root] = this.#adapters;
    if (what === "say") root?.act(fieldsIn(given, 8));
    else if (what === "abort") this.#abort?.abort();
    else if (what === "time") {
      const end = this.#time.now + Math.min(60_000, wholeOf(given) ?? 0);
      while (await this.#time.advance(end));
    } else if (what === "child") this.#session = this.#session?.children.at(-1) ?? this.#session;
    else if (typeof what === "string" && this.#session !== undefined) {
      const watched = this.#call(this.#session, what, given);
      if (watched !== undefined && later === undefined) await this.#calls.until(watched);
      else watched?.catch(() => undefined);
    }
  }

  #call(session: DebugSession, what: string, given: unknown): Promise<unknown> | undefined {
    this.#abort = new AbortController();
    const own = { timeoutMs: this.#timeoutMs, signal: this.#abort.signal };
    const limit = this.#timeoutMs;
    const numbers = (names: readonly string[]): object =>
      Object.fromEntries(
        names.flatMap((name) => {
          const value = (given as Fields | null | undefined)?.[name];
          return wholeOf(value) === undefined ? [] : [[name, value]];
        }),
      );
    const budget = { ...own, ...numbers(["items", "depth", "bytes", "valueBytes"]) };
    switch (what) {
      case "waitForStop":
      case "waitForEnd":
        return this.#calls.watch(what, limit, session[what](own));
      case "waitForOutput":
        return this.#calls.watch(
          what,
          limit,
          session.waitForOutput(typeof given === "string" ? given : "text", own),
        );
      case "continue":
      case "next":
      case "stepIn":
      case "stepOut":
      case "stepBack":
      case "reverseContinue":
        this.#resumed = this.#stage.delivered.length;
        return this.#calls.watch(what, limit, session[what]({ ...own, ...numbers(["threadId"]) }));
      case "goto":
        this.#resumed = this.#stage.delivered.length;
        return this.#calls.watch(what, limit, session.goto(1, own));
      case "pause":
        return this.#calls.watch(what, limit, session.pause(own));
      case "request":
        return this.#calls.watch(what, limit, session.request("threads", undefined, own));
      case "setBreakpoints":
        return this.#calls.watch(what, limit, session.setBreakpoints("a.c", [1, 2, 3], own));
      case "setFunctionBreakpoints":
        return this.#calls.watch(what, limit, session.setFunctionBreakpoints(["f"], own));
      case "setExceptionFilters":
        return this.#calls.watch(what, limit, session.setExceptionFilters(["all"], own));
      case "snapshot": {
        const full = { items: 200, depth: 2, bytes: 65_536, expensive: false, ...budget };
        const reading = session.snapshot({ ...budget, ...numbers(["frames"]) });
        return this.#calls.watch(what, limit, reading).then((snapshot) => {
          this.#snapshot = snapshot as StopSnapshot | undefined;
          this.#assertSnapshot(full);
        });
      }
      case "expand": {
        const part = this.#snapshot?.frames[0]?.scopes.find(({ cut }) => cut !== undefined);
        if (part === undefined) return undefined;
        return this.#calls
          .watch(what, limit, this.#snapshot!.expand(part, budget))
          .then(() => this.#assertSnapshot(undefined));
      }
      case "restart": {
        this.#resumed = this.#restarted = this.#stage.delivered.length;
        const most = endMs + this.#timeoutMs * 12;
        return this.#calls.watch(what, most, session.restart(own)).then((next) => {
          if (next === undefined || next === session) return;
          this.#session = next as DebugSession;
          if (session === this.#root) this.#root = this.#session;
        });
      }
      case "terminate":
        return this.#calls.watch(what, endMs, session.terminate(ending));
      case "disconnect":
        return this.#calls.watch(what, endMs, session.disconnect(ending));
      default:
        return undefined;
    }
  }

  /**
   * @param budget The requested budget; undefined if the parts were read with different budgets.
   */
  #assertSnapshot(budget: ShownBudget | undefined): void {
    const [frame] = this.#snapshot?.frames ?? [];
    if (frame === undefined) return;
    const { reactions, tree } = this.#script.adapter;
    const isUsual = ["scopes", "variables", "stackTrace"].every((each) => !(each in reactions));
    const isWhole = frame.cut === undefined && this.#adapters.every(({ isOver }) => !isOver);
    // The variables are uncertain if there are several adapters or a scripted message: a child runs
    // another program, and a scripted message may be any response.
    const isOwn =
      this.#adapters.length === 1 && !JSON.stringify(this.#script).includes('"message"');
    const isKnown = isUsual && isWhole && isOwn && !this.#stage.isMuddied;
    assert.equal(findLost(frame.scopes), undefined);
    if (isKnown && budget !== undefined)
      assert.equal(findContradiction(tree, frame.scopes, budget), undefined);
  }

  #assertState(): void {
    const session = this.#root;
    if (session === undefined || this.#stage.isMuddied) return;
    const wrong = findUnlikelyState(this.#dap, session, {
      delivered: this.#stage.delivered,
      root: this.#adapters[0]!,
      isAlone: this.#adapters.length === 1,
      resumed: this.#resumed,
      restarted: this.#restarted,
    });
    if (wrong !== undefined) assert.fail(wrong);
  }

  async #finish(): Promise<void> {
    if (this.#root !== undefined)
      await this.#calls.until(
        this.#calls.watch("disconnect", endMs, this.#root.disconnect(ending)),
      );
    // Work that continues in the background must finish on its own.
    while (await this.#time.advance(this.#time.now + 60_000));
    this.#calls.assertInTime();
    for (const [at, { isOver, asked, answered }] of this.#adapters.entries()) {
      if (!isOver) assert.fail(`adapter ${at} is left open`);
      for (const number of new Set(answered)) {
        const count = (list: readonly unknown[]): number =>
          list.filter((each) => each === number).length;
        if (count(answered) > count(asked) && !this.#stage.isMuddied)
          assert.fail(`request ${String(number)} is answered twice`);
      }
    }
    if ((this.#root?.children.length ?? 0) > 0) assert.fail("children are left after the end");
  }
}

/** Returns the name of a container whose variables are missing although it has no `cut`. */
function findLost(parts: readonly ShownPart[]): string | undefined {
  for (const { name, variables, variablesReference, cut } of parts) {
    if (variablesReference > 0 && variables === undefined && cut === undefined) return name;
    const lost = findLost(variables ?? []);
    if (lost !== undefined) return lost;
  }
  return undefined;
}
