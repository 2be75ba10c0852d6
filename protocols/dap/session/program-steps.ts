import { ConnectionClosedError, type Connection } from "../../../generated/dap/connection.js";
import {
  endedError,
  type ProgramEnd,
  type ProgramState,
  type ProgramStop,
} from "./program-state.js";
import { SessionError } from "./session-error.js";
import type { StepOptions, WaitOptions } from "./session-options.js";
import { waitOptions } from "./wait-options.js";

/** Requests that resume a program until its next stop. */
export type ResumingRequest =
  "continue" | "next" | "stepIn" | "stepOut" | "stepBack" | "reverseContinue" | "goto";

/** Resumes and pauses a program. */
export class ProgramSteps {
  readonly #connection: Connection<"client">;
  readonly #state: ProgramState;

  constructor(connection: Connection<"client">, state: ProgramState) {
    this.#connection = connection;
    this.#state = state;
  }

  /** Resolves to the stop that the request leads to, or to the end. */
  async resume(
    name: ResumingRequest,
    parameters: object,
    options: StepOptions = {},
  ): Promise<ProgramStop | ProgramEnd> {
    this.check(`send "${name}"`);
    const state = this.#state;
    const threadId = await this.#threadOf(options);
    if (threadId === undefined) return state.end!;
    const { granularity, singleThread } = options;
    const { stops } = state;
    const undo = state.resume();
    const all = { threadId, ...parameters, granularity, singleThread };
    const given = Object.entries(all).filter(([, value]) => value !== undefined);
    try {
      await this.#connection.requestCustom(name, Object.fromEntries(given), waitOptions(options));
    } catch (error) {
      // A program that ends may take the answer with it.
      if (!isClosed(error)) {
        undo();
        throw error;
      }
    }
    return this.#stopAfter(stops, options);
  }

  /** Stops the program; resolves at once if it has stopped. */
  async pause(options: StepOptions = {}): Promise<ProgramStop | ProgramEnd> {
    const state = this.#state;
    if (state.stop !== undefined) return state.stop;
    this.check('send "pause"');
    const { stops } = state;
    const threadId = await this.#threadOf(options);
    if (threadId === undefined) return state.end!;
    await this.#connection.requestCustom("pause", { threadId }, waitOptions(options));
    return this.#stopAfter(stops, options);
  }

  /**
   * The thread that has stopped, or the first one.
   *
   * @throws SessionError, as a rejection, if there is none.
   */
  async threadId(options: WaitOptions): Promise<number> {
    const { stop } = this.#state;
    if (stop?.threadId !== undefined && this.#state.isOwn(stop)) return stop.threadId;
    const limits = waitOptions(options);
    const { threads } = await this.#connection.request("threads", undefined, limits);
    const [first] = threads;
    if (first !== undefined) return first.id;
    const text = "Cannot choose a thread: the program has none";
    throw new SessionError("ERR_SESSION_THREAD", text);
  }

  /** @throws SessionError if the program has ended. */
  check(action: string): void {
    const { end } = this.#state;
    if (end !== undefined || this.#connection.isClosed) throw endedError(action, end);
  }

  /** Undefined if the program ends before it is known. */
  async #threadOf(options: StepOptions): Promise<number | undefined> {
    try {
      return options.threadId ?? (await this.threadId(options));
    } catch (error) {
      if (isClosed(error)) await this.#connection.closed;
      if (this.#state.end === undefined) throw error;
      return undefined;
    }
  }

  #stopAfter(stops: number, options: WaitOptions): Promise<ProgramStop | ProgramEnd> {
    const state = this.#state;
    const test = (): ProgramStop | ProgramEnd | undefined =>
      (state.stops > stops ? state.stop : undefined) ?? state.end;
    return state.wait("the program to stop", test, waitOptions(options));
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof ConnectionClosedError;
}
