import { spawn, type ChildProcess } from "node:child_process";
import type { Capabilities } from "@wirewright/dap/types";
import { tcpTransport } from "@wirewright/dap/node";
import { endGroup, type StartedAdapter } from "./adapter-target.js";
import type { Mark, Language, Program } from "./programs.js";
import type { Pace } from "./pace.js";
import type { Suite } from "./suite.js";
import { shortened, type Difference, type Verdict } from "./verdict.js";
import { StepError, Wire, type AnyMessage, type TraceEntry } from "./wire.js";

/** A response, along with its position in the trace. */
export interface Reply {
  readonly success: boolean;
  readonly body: AnyMessage;
  readonly message: AnyMessage;
  readonly index: number;
}

export interface CaseSettings extends Suite {
  readonly name: string;
  /** The capability that the case requires, if any. */
  readonly gate: string | undefined;
  readonly adapter: StartedAdapter;
  readonly program: Program;
  /** Arguments for `launch` or `attach`, with all names replaced. */
  readonly launch: Readonly<Record<string, unknown>>;
  readonly capabilities: Capabilities;
  readonly pace: Pace;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A session in which requests are sent, events awaited, and verdicts about checks recorded. */
export class AdapterSession {
  readonly wires: Wire[] = [];
  readonly verdicts: Verdict[] = [];
  readonly program: Program;
  readonly language: Language;
  readonly adapter: StartedAdapter;
  readonly settings: CaseSettings;
  /**
   * The adapter's capabilities. Until this session receives them, these are the capabilities from
   * an earlier session.
   */
  capabilities: Capabilities;
  /** Whether each capability's request succeeded, for the capabilities whose request was sent. */
  readonly served = new Map<string, boolean>();
  readonly #programs: ChildProcess[] = [];
  #wire: Wire | undefined;

  constructor(settings: CaseSettings) {
    this.settings = settings;
    this.program = settings.program;
    this.language = settings.programs.language;
    this.adapter = settings.adapter;
    this.capabilities = settings.capabilities;
  }

  /** The connection over which requests are sent. */
  get wire(): Wire {
    if (this.#wire === undefined) throw new StepError("not connected");
    return this.#wire;
  }

  get trace(): readonly TraceEntry[] {
    return this.wire.trace;
  }

  /** The current position in the trace, to pass as `since`. */
  get position(): number {
    return this.trace.length;
  }

  /** Maximum duration of a step, in milliseconds. */
  get deadlineMs(): number {
    return this.settings.pace.deadlineMs;
  }

  /** Opens a connection, which is used for all later requests. */
  async connect(address?: { readonly host?: string; readonly port: number }): Promise<Wire> {
    const { deadlineMs: retryForMs } = this;
    const connecting =
      address === undefined
        ? this.adapter.connect()
        : tcpTransport(address.port, { host: address.host ?? "127.0.0.1", retryForMs });
    const transport = await connecting.catch((error: Error) => {
      throw new StepError(`cannot connect: ${error.message}`);
    });
    const wire = new Wire(transport, this.settings.pace);
    this.wires.push(wire);
    this.use(wire);
    return wire;
  }

  use(wire: Wire): void {
    this.#wire = wire;
  }

  /**
   * Sends a request. Resolves to the response, whether or not the request succeeded.
   *
   * @throws StepError if there is no response.
   */
  async request(command: string, args?: unknown): Promise<Reply> {
    return this.reply(this.wire.send(command, args), command);
  }

  /** Waits for the response to a request that has been sent. */
  async reply(
    seq: number,
    command: string,
    { timeoutMs, follows }: { timeoutMs?: number; follows?: string } = {},
  ): Promise<Reply> {
    const { message, index } = await this.wire.until(
      (entry) =>
        entry.from === "adapter" &&
        entry.message["type"] === "response" &&
        entry.message["request_seq"] === seq,
      { timeoutMs, what: `response to ${command}`, messageNumber: this.#numberOf(seq), follows },
    );
    return { success: message["success"] === true, body: message["body"] ?? {}, message, index };
  }

  /**
   * Returns the number of the message that contains the request sent with this `seq`, counted from
   * 1.
   */
  #numberOf(seq: number): number {
    const isRequest = ({ from, message }: TraceEntry): boolean =>
      from === "client" && message["type"] === "request" && message["seq"] === seq;
    return this.trace.findIndex(isRequest) + 1;
  }

  /** Sends a request that must succeed; otherwise, the case ends. */
  async ask(command: string, args?: unknown): Promise<AnyMessage> {
    const { success, body, message, index } = await this.request(command, args);
    if (!success) throw failure(command, { message, index });
    return body;
  }

  /**
   * Sends a request whose capability the adapter has announced. If the adapter refuses the request,
   * the check `init-07` fails.
   *
   * @param capability Default: the capability that the case requires.
   */
  async announced(
    command: string,
    args: unknown,
    capability: string = this.settings.gate!,
  ): Promise<AnyMessage> {
    const { success, body, message, index } = await this.request(command, args);
    this.served.set(capability, success && this.served.get(capability) !== false);
    this.verify("init-07", success, {
      expected: `${capability} is announced: ${command} succeeds`,
      actual: `the request failed: ${failureText(message)}`,
      messageNumber: index + 1,
    });
    if (!success) throw failure(command, { message, index }, "init-07");
    return body;
  }

  /** Waits for the first event with the given name after the given position in the trace. */
  async event(
    name: string,
    {
      since = 0,
      where = () => true,
      timeoutMs,
      follows,
    }: {
      since?: number;
      where?: (body: AnyMessage) => boolean;
      timeoutMs?: number;
      follows?: string;
    } = {},
  ): Promise<TraceEntry & { readonly body: AnyMessage }> {
    const entry = await this.wire.until(
      ({ from, message }) =>
        from === "adapter" &&
        message["type"] === "event" &&
        message["event"] === name &&
        where(message["body"] ?? {}),
      { since, timeoutMs, what: `${name} event`, follows },
    );
    return { ...entry, body: entry.message["body"] ?? {} };
  }

  /**
   * Gives a resumed program some time to run, because the protocol does not report when it is
   * running.
   */
  async runs(): Promise<void> {
    await pause(300);
  }

  /** Whether a process is running the program. Undefined if unknown. */
  isRunning(): boolean | undefined {
    return this.adapter.isRunning(this.program.program);
  }

  /** Waits for the end of the program's processes. Returns whether they have ended. */
  async hasEnded(): Promise<boolean> {
    for (const end = performance.now() + this.deadlineMs; performance.now() < end;) {
      if (this.isRunning() !== true) return true;
      await pause(100);
    }
    return false;
  }

  /**
   * Waits up to the given number of milliseconds for the adapter's exit status. Resolves to null
   * after a signal, and to undefined if the suite did not start the adapter.
   */
  async exitWithin(ms: number): Promise<number | null | "running" | undefined> {
    const { exited } = this.adapter;
    if (exited === undefined) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"running">((resolve) => {
      timer = setTimeout(resolve, ms, "running");
    });
    const end = await Promise.race([exited, late]);
    clearTimeout(timer);
    return end;
  }

  /**
   * Returns the events with the given name that have arrived so far, or since a position in the
   * trace.
   */
  events(name: string, since = 0): readonly (TraceEntry & { readonly body: AnyMessage })[] {
    return this.trace
      .slice(since)
      .filter(({ from, message }) => from === "adapter" && message["event"] === name)
      .map((entry) => ({ ...entry, body: entry.message["body"] ?? {} }));
  }

  /** Returns a marker's line number in the program. */
  line(name: Mark): number {
    const line = this.program.lines.get(name);
    if (line === undefined) throw new StepError(`${this.program.name} has no line "${name}"`);
    return line;
  }

  /** Records whether a check passes. Returns `isFine`. */
  verify(check: string, isFine: boolean, difference: Difference): boolean {
    const { expected, actual, follows, messageNumber = this.#wire?.trace.length ?? 0 } = difference;
    const connection = this.wires.findIndex((wire) => wire === this.#wire) + 1;
    this.verdicts.push({
      check,
      case: this.settings.name,
      ...(isFine
        ? { status: "pass" }
        : {
            status: "fail",
            expected,
            actual: shortened(actual),
            message: messageNumber,
            connection: connection > 1 ? connection : undefined,
            ...(follows === undefined || follows === check ? {} : { follows }),
          }),
    });
    return isFine;
  }

  /** Records that a check passes. */
  pass(check: string): void {
    this.verdicts.push({ check, status: "pass", case: this.settings.name });
  }

  /** Records that one or more checks are not applicable, and why. */
  skip(checks: string | readonly string[], text: string): void {
    for (const check of [checks].flat())
      this.verdicts.push({ check, status: "not-applicable", case: this.settings.name, text });
  }

  /** Records that a check was cut off by the suite. */
  #leaveOpen(check: string, text: string): void {
    this.verdicts.push({
      check,
      status: "inconclusive",
      case: this.settings.name,
      text: `${text}; a message was still arriving`,
    });
  }

  /** Runs a step that belongs to a check. If the step fails, the check fails and the case ends. */
  async step<Result>(check: string, expected: string, run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      const { message: actual, messageNumber, follows, isCut } = error;
      if (isCut) this.#leaveOpen(check, actual);
      else this.verify(check, false, { expected, actual, messageNumber, follows });
      error.check ??= check;
      throw error;
    }
  }

  /**
   * Answers the adapter's requests to start programs, as a client with a terminal would. Returns
   * the array to which these requests are added.
   */
  openTerminal(): readonly object[] {
    const requests: object[] = [];
    this.wire.reverse.set("runInTerminal", ({ arguments: program = {} }) => {
      requests.push(program);
      const { args = [], cwd, env } = program;
      const child = this.spawn(args, {
        cwd: cwd === "" ? undefined : cwd,
        env: { ...this.settings.target.env, ...env },
      });
      return { processId: child?.pid };
    });
    return requests;
  }

  /** Starts a program, which is killed when the case ends. */
  spawn(
    command: readonly string[],
    { cwd, env = {} }: { cwd?: string; env?: Record<string, string | null> } = {},
  ): ChildProcess | undefined {
    const [name, ...args] = command;
    if (name === undefined) return undefined;
    const variables = Object.entries({ ...process.env, ...env }).filter(
      ([, value]) => value !== null,
    );
    const child = spawn(name, args, {
      detached: true,
      stdio: "ignore",
      env: Object.fromEntries(variables) as Record<string, string>,
      cwd,
    });
    child.on("error", () => undefined);
    this.#programs.push(child);
    return child;
  }

  async close(): Promise<void> {
    await Promise.all(this.wires.map((wire) => wire.close()));
    for (const { pid } of this.#programs) endGroup(pid);
  }
}

/** Returns the reason stated in a failure response. */
export function failureText(message: AnyMessage): string {
  const { body, message: text } = message;
  return shortened(body?.error?.format ?? text ?? "no reason given");
}

/**
 * Creates the error for a failed request.
 *
 * @param check The check that fails as a result.
 */
export function failure(
  command: string,
  { message, index }: Pick<Reply, "message" | "index">,
  check?: string,
): StepError {
  const text = `${command} failed: ${failureText(message)}`;
  return new StepError(text, { messageNumber: index + 1, check });
}
