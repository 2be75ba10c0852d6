import { AdapterSession, failure, type Reply } from "./adapter-session.js";
import type { Language, Mark } from "./programs.js";
import { StepError, type AnyMessage, type TraceEntry } from "./wire.js";

/**
 * A breakpoint in a case: either the name of a marked line, or an object that contains this name
 * along with other properties.
 */
export type CaseBreakpoint = Mark | ({ readonly mark: Mark } & Record<string, unknown>);

export interface StartOptions {
  /** Additional arguments for `initialize`. */
  readonly initialize?: object;
  /** Additional arguments for `launch` or `attach`. */
  readonly launch?: object;
  readonly breakpoints?: readonly CaseBreakpoint[];
  readonly filters?: readonly string[];
  /** Called after `initialized`, before `configurationDone`. */
  readonly configure?: () => Promise<void>;
  /** The request that starts the program. Default: the suite's request. */
  readonly request?: "launch" | "attach";
}

export interface Started {
  /** The breakpoints in the response to `setBreakpoints`. */
  readonly breakpoints: readonly AnyMessage[];
  readonly launched: Reply;
}

/** A program stop. */
export interface Stop {
  readonly entry: TraceEntry;
  readonly reason: string;
  readonly threadId: number;
  readonly body: AnyMessage;
}

/** A stop, along with the top frame of its thread. */
export type StopAtFrame = Stop & { readonly frame: AnyMessage };

/** A session controlled by a case, which debugs the program the way clients do. */
export class CaseSession extends AdapterSession {
  /** The program's source, as requests refer to it. */
  get source(): { readonly name: string; readonly path: string } {
    const { source } = this.program;
    return { name: source.replace(/^.*\//, ""), path: source };
  }

  /** The ids of the exception filters that the adapter announces. */
  get filters(): readonly string[] {
    return (this.capabilities.exceptionBreakpointFilters ?? []).map(({ filter }) => filter);
  }

  /** Sends `initialize`, after opening a connection unless one is already open. */
  async initialize(more: object = {}): Promise<Reply> {
    if (this.wires.length === 0) await this.connect();
    const reply = await this.request("initialize", {
      clientID: "wirewright",
      clientName: "wirewright conformance",
      adapterID: this.settings.adapterId,
      locale: "en-US",
      linesStartAt1: true,
      columnsStartAt1: true,
      pathFormat: "path",
      ...(this.settings.isInChild ? { supportsStartDebuggingRequest: true } : {}),
      ...more,
    });
    if (!reply.success) throw failure("initialize", reply);
    this.capabilities = reply.body;
    return reply;
  }

  /** Returns the arguments for setting breakpoints on marked lines of the program. */
  breakpointsAt(breakpoints: readonly CaseBreakpoint[]) {
    const list = breakpoints.map((breakpoint) => {
      const { mark, ...rest } = typeof breakpoint === "string" ? { mark: breakpoint } : breakpoint;
      return { line: this.line(mark), ...rest };
    });
    return { source: this.source, breakpoints: list, lines: list.map(({ line }) => line) };
  }

  /** Removes the program's breakpoints. Resolves to the response's body. */
  clearBreakpoints(): Promise<AnyMessage> {
    return this.ask("setBreakpoints", this.breakpointsAt([]));
  }

  /** Sets breakpoints in a running program, and waits for up to a second until they are verified. */
  async setBreakpoints(breakpoints: readonly CaseBreakpoint[]): Promise<readonly AnyMessage[]> {
    const since = this.position;
    const { breakpoints: set = [] } = await this.ask(
      "setBreakpoints",
      this.breakpointsAt(breakpoints),
    );
    return Promise.all(
      (set as AnyMessage[]).map(async (first) => {
        if (first["verified"] === true || first["id"] === undefined) return first;
        const isVerified = ({ breakpoint }: AnyMessage): boolean =>
          breakpoint?.id === first["id"] && breakpoint.verified === true;
        const later = await this.event("breakpoint", {
          since,
          where: isVerified,
          timeoutMs: 1_000,
        }).catch(() => undefined);
        return later?.body["breakpoint"] ?? first;
      }),
    );
  }

  /** Starts the program with breakpoints, the way clients do. Resolves once `launch` is answered. */
  async start(options: StartOptions = {}): Promise<Started> {
    const { isInChild, launch } = this.settings;
    if (!isInChild) return this.startOne(options, launch);
    const childRequest = (this.wires[0] ?? (await this.connect())).received("startDebugging");
    const parent = { initialize: options.initialize, launch: options.launch };
    const started = await this.startOne(parent, launch);
    if (!started.launched.success) return started;
    const timer = this.event("never").catch(() => undefined);
    const child = await Promise.race([childRequest, timer]);
    if (child === undefined) throw new StepError("no startDebugging request");
    return this.startChild(options, child);
  }

  /** Starts the child session described by a `startDebugging` request, on a separate connection. */
  async startChild(options: StartOptions, childRequest: AnyMessage): Promise<Started> {
    const { configuration, request } = childRequest;
    await this.connect(configuration.connect);
    return this.startOne({ ...options, launch: {}, request }, configuration);
  }

  /**
   * Starts a session on the current connection, using `launch`, `attach` or the request named in the
   * options.
   */
  async startOne(options: StartOptions, launch: object): Promise<Started> {
    if (this.wires.length === 0) await this.connect();
    const since = this.position;
    const { breakpoints = [], filters = [], configure, request = this.settings.request } = options;
    await this.initialize(options.initialize);
    const seq = this.wire.send(request, { ...launch, ...options.launch });
    await this.wire.until(
      ({ from, message }) =>
        from === "adapter" &&
        (message["event"] === "initialized" ||
          message["event"] === "terminated" ||
          (message["type"] === "response" &&
            message["request_seq"] === seq &&
            message["success"] === false)),
      { since, what: "initialized event", follows: "launch-01" },
    );
    if (this.events("initialized", since).length === 0)
      return { breakpoints: [], launched: await this.reply(seq, request) };
    let set: readonly AnyMessage[] = [];
    try {
      if (breakpoints.length > 0)
        ({ breakpoints: set = [] } = await this.ask(
          "setBreakpoints",
          this.breakpointsAt(breakpoints),
        ));
      await configure?.();
      await this.endConfiguration(filters);
    } catch (error) {
      // If the program cannot be started, its configuration may fail first.
      const launched = await this.reply(seq, request).catch(() => undefined);
      if (launched?.success === false) return { breakpoints: set, launched };
      throw error;
    }
    return { breakpoints: set, launched: await this.reply(seq, request, { follows: "launch-02" }) };
  }

  /** Sends the requests that end the configuration, as far as the adapter announces them. */
  async endConfiguration(filters: readonly string[] = []): Promise<void> {
    const hasDone = this.capabilities.supportsConfigurationDoneRequest === true;
    if (this.filters.length > 0 || !hasDone)
      await this.request("setExceptionBreakpoints", { filters });
    if (hasDone) await this.ask("configurationDone", {});
  }

  /**
   * Waits for the next stop after the given position in the trace.
   *
   * @throws StepError if there is none, or if the program ends first.
   */
  async stop(since = 0): Promise<Stop> {
    const entry = await this.wire.until(
      ({ from, message }) =>
        from === "adapter" &&
        ["stopped", "terminated", "exited"].includes(message["event"] as string),
      { since, what: "stopped event", follows: "bp-06" },
    );
    const { message } = entry;
    if (message["event"] !== "stopped") {
      const printed = this.events("output").filter(({ body }) => body["category"] === "stderr");
      const last = String(printed.at(-1)?.body["output"] ?? "").trim();
      throw new StepError(
        `no stopped event: the program has ended${last === "" ? "" : `, after ${JSON.stringify(last.slice(-200))}`}`,
        // A program that runs before it is configured misses its breakpoints.
        { messageNumber: entry.index + 1, follows: "launch-03" },
      );
    }
    const body = message["body"] ?? {};
    const threadId = body.threadId ?? (await this.ask("threads"))["threads"]?.[0]?.id ?? 1;
    return { entry, reason: String(body.reason), threadId, body };
  }

  /** Starts the program and waits for its first stop. */
  async startToStop(options: StartOptions): Promise<Stop & Started> {
    const { request, stopsFirst } = this.settings;
    const started = await this.start(options);
    if (!started.launched.success) throw failure(request, started.launched);
    const first = await this.stop();
    const isEntry =
      stopsFirst || first.reason === "entry" || (request === "attach" && first.reason === "pause");
    if (!isEntry) return { ...started, ...first };
    return { ...started, ...(await this.resume("continue", first.threadId)) };
  }

  /** Starts the program, and reads the top frame at its first stop. */
  async startToFrame(options: StartOptions): Promise<StopAtFrame & Started> {
    const first = await this.startToStop(options);
    return { ...first, frame: await this.topFrame(first.threadId) };
  }

  /**
   * Starts the program, stops at a marked line, and then lets the program continue without
   * breakpoints. Resolves to the thread id.
   */
  async startToRun(mark: Mark): Promise<number> {
    const { threadId } = await this.startToStop({ breakpoints: [mark] });
    await this.clearBreakpoints();
    await this.ask("continue", { threadId });
    await this.runs();
    return threadId;
  }

  /** Resumes the program with a request, and waits for the next stop. */
  async resume(
    command: string,
    threadId: number,
    more: object = {},
  ): Promise<Stop & { readonly reply: Reply }> {
    const since = this.position;
    const reply = await this.request(command, { threadId, ...more });
    if (!reply.success) throw failure(command, reply);
    return { reply, ...(await this.stop(since)) };
  }

  /** Resumes the program with a request, and reads the top frame at the next stop. */
  async resumeToFrame(command: string, threadId: number, more?: object): Promise<StopAtFrame> {
    const next = await this.resume(command, threadId, more);
    return { ...next, frame: await this.topFrame(next.threadId) };
  }

  /**
   * Continues until the program ends. Resolves to the `terminated` event, or to the last message if
   * programs in the language do not end.
   */
  async finish(threadId: number): Promise<TraceEntry> {
    const since = this.position;
    this.wire.send("continue", { threadId });
    if (this.language.isEndless !== true) return this.runToEnd(since);
    await this.runs();
    return this.trace.at(-1)!;
  }

  /** Continues the program whenever it stops. Resolves to the `terminated` event. */
  async runToEnd(from = 0): Promise<TraceEntry> {
    const { wire } = this;
    for (let [since, stops] = [from, 0]; stops < 100; stops++) {
      const entry = await wire.until(
        ({ from, message }) =>
          from === "adapter" && ["stopped", "terminated"].includes(message["event"] as string),
        { since, what: "terminated event", follows: "end-01" },
      );
      if (entry.message["event"] === "terminated") return entry;
      since = wire.trace.length;
      wire.send("continue", { threadId: entry.message["body"]?.threadId ?? 1 });
    }
    throw new StepError("no terminated event: the program keeps stopping");
  }

  async frames(threadId: number, more: object = {}): Promise<readonly AnyMessage[]> {
    const { stackFrames = [] } = await this.ask("stackTrace", { threadId, ...more });
    return stackFrames;
  }

  /** @throws StepError if the thread has no frames. */
  async topFrame(threadId: number): Promise<AnyMessage> {
    const [frame] = await this.frames(threadId);
    if (frame === undefined) throw new StepError("the stack of the stopped thread has no frames");
    return frame;
  }

  /**
   * Returns the variable of a frame that the language gives a purpose, such as `total`. Reads no
   * more scopes than necessary, because some are large.
   */
  async localOf(
    frame: AnyMessage,
    purpose: keyof Language["text"],
  ): Promise<AnyMessage | undefined> {
    const name = this.language.text[purpose];
    for await (const variables of this.#localsByScope(frame)) {
      const local = variables.find((each) => each["name"] === name);
      if (local !== undefined) return local;
    }
    return undefined;
  }

  /** Returns up to about 5,000 variables, from the scopes that are not marked as expensive. */
  async localsOf(frame: AnyMessage): Promise<readonly AnyMessage[]> {
    const locals: AnyMessage[] = [];
    for await (const variables of this.#localsByScope(frame)) {
      locals.push(...variables);
      if (locals.length > 5_000) break;
    }
    return locals;
  }

  async *#localsByScope(frame: AnyMessage): AsyncGenerator<readonly AnyMessage[]> {
    const { scopes = [] } = await this.ask("scopes", { frameId: frame["id"] });
    for (const { expensive, variablesReference } of scopes as AnyMessage[]) {
      if (expensive === true || !(variablesReference > 0)) continue;
      const { variables = [] } = await this.ask("variables", { variablesReference });
      yield (variables as AnyMessage[]).map((each) => ({ ...each, within: variablesReference }));
    }
  }

  /** Returns the value of `i` in the program `loop`. */
  async valueOfI(frame: AnyMessage): Promise<number> {
    return Number((await this.localOf(frame, "i"))?.["value"]);
  }

  /** Returns the value of `i`, or undefined if the frame is not at the line `loop`. */
  async iAtLoop(frame: AnyMessage): Promise<number | undefined> {
    return frame["line"] === this.line("loop") ? this.valueOfI(frame) : undefined;
  }

  /** Verifies the reason for a stop. */
  verifyReason(check: string, { reason, body, entry }: Stop, expected: string): void {
    this.verify(check, reason === expected, {
      expected: `reason ${expected}`,
      actual: body,
      messageNumber: entry.index + 1,
    });
  }

  /** Verifies that a frame is at a marked line. `why` continues the expectation. */
  verifyLine(check: string, frame: AnyMessage, mark: Mark, why = ""): boolean {
    return this.verify(check, frame["line"] === this.line(mark), {
      expected: `line ${this.line(mark)}${why}`,
      actual: `line ${frame["line"]} of ${frame["name"]}`,
    });
  }
}

/**
 * Returns the last part of a path. Complete paths cannot be compared, because adapters may resolve
 * links and change case.
 */
export function nameOfSource(frame: AnyMessage | undefined): string {
  const path = String(frame?.["source"]?.path ?? frame?.["source"]?.name ?? "");
  return decodeURIComponent(path.replace(/^.*[\\/]/, ""));
}
