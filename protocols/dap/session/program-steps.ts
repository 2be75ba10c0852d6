import type { Connection } from "../../../generated/dap/connection.js";
import type { ProgramEnd, ProgramStop } from "./debug-session.js";
import type { ProgramState } from "./program-state.js";
import { isObject, option } from "@wirewright/runtime";
import { SessionError } from "./session-error.js";
import {
  requestOptions,
  sharedLimits,
  stepChecks,
  type StepInOptions,
  type StepOptions,
  type WaitOptions,
} from "./wait-options.js";

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

  /** Sends a request that resumes the program. Resolves to the program's next stop or its end. */
  async resume(
    name: ResumingRequest,
    options: StepInOptions = {},
    more: object = {},
  ): Promise<ProgramStop | ProgramEnd> {
    checkStep(name, options);
    const state = this.#state;
    this.#checkStopped(name, options.threadId);
    const limits = sharedLimits(options, this.#connection.timeoutMs);
    const threadId = await this.#threadOf(options.threadId, limits);
    if (threadId === undefined) return state.end!;
    const { granularity, singleThread, targetId } = options;
    const { stops } = state;
    const undo = state.resume(threadId);
    const parameters = { threadId, targetId, ...more, granularity, singleThread };
    const defined = Object.entries(parameters).filter(([, value]) => value !== undefined);
    try {
      await this.#connection.requestCustom(
        name,
        Object.fromEntries(defined),
        requestOptions(limits),
      );
    } catch (error) {
      // If the program ends, the response may never arrive.
      if (!isClosed(error)) {
        undo();
        throw error;
      }
    }
    return this.#stopAfter(stops, limits);
  }

  /** Pauses the program. Resolves immediately if it has already stopped. */
  async pause(options: StepOptions = {}): Promise<ProgramStop | ProgramEnd> {
    checkStep("pause", options);
    const state = this.#state;
    if (state.stop !== undefined) return state.stop;
    this.checkOpen('send "pause"');
    const { stops } = state;
    const limits = sharedLimits(options, this.#connection.timeoutMs);
    const threadId = await this.#threadOf(options.threadId, limits);
    if (threadId === undefined) return state.end!;
    await this.#connection.requestCustom("pause", { threadId }, requestOptions(limits));
    return this.#stopAfter(stops, limits);
  }

  /** @throws SessionError if the program has ended. */
  checkOpen(action: string): void {
    const { end } = this.#state;
    if (end !== undefined || this.#connection.isClosed) throw endedError(action, end);
  }

  /** @throws SessionError if no thread can be resumed. */
  #checkStopped(name: string, threadId: number | undefined): void {
    const action = `send "${name}"`;
    this.checkOpen(action);
    if (this.#state.hasStopped(threadId)) return;
    const { stop } = this.#state;
    const child = stop?.session.connection === this.#connection ? undefined : stop;
    throw new SessionError(
      "ERR_SESSION_RUNNING",
      child === undefined
        ? `Cannot ${action}: the program is running. Wait for a stop, or pause it`
        : `Cannot ${action}: this session is running. The child session ${nameOf(child)} has ` +
            `stopped (${child.reason}): use \`stop.session.${name}()\``,
    );
  }

  /** Returns the thread to resume, or undefined if the program ends before the thread is known. */
  async #threadOf(threadId: number | undefined, limits: WaitOptions): Promise<number | undefined> {
    try {
      return threadId ?? (await threadOf(this.#connection, this.#state.ownStop, limits));
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
    return state.wait("the program to stop", test, options);
  }
}

/**
 * Returns the thread that stopped, or the program's first thread.
 *
 * @throws Rejects with SessionError if there is no thread.
 */
export async function threadOf(
  connection: Connection<"client">,
  stop: ProgramStop | undefined,
  options: WaitOptions,
): Promise<number> {
  if (stop?.threadId !== undefined) return stop.threadId;
  const body = await connection.requestCustom("threads", undefined, requestOptions(options));
  const threads: unknown = isObject(body) ? body["threads"] : undefined;
  const first: unknown = Array.isArray(threads) ? threads[0] : undefined;
  if (isObject(first) && Number.isSafeInteger(first["id"])) return first["id"] as number;
  const text = "Cannot choose a thread: the program has no threads";
  throw new SessionError("ERR_SESSION_THREAD", text);
}

/** @param action The action that failed, such as `send "next"`. */
export function endedError(action: string, end: ProgramEnd | undefined): SessionError {
  const { reason = "closed", exitCode, error } = end ?? {};
  const how = exitCode === undefined ? reason : `${reason} with exit code ${exitCode}`;
  const why = error === undefined ? "" : `: ${error.message}`;
  const text = `Cannot ${action}: the session has ended (${how})${why}`;
  return new SessionError("ERR_SESSION_ENDED", text, error);
}

function checkStep(name: string, options: StepInOptions): void {
  const { targetId, ...checks } = stepChecks();
  option.checkOptions(name, options, name === "stepIn" ? { ...checks, targetId } : checks);
}

/** Returns the name of a child session for error messages, which is its position in the tree. */
function nameOf({ session }: ProgramStop): string {
  const positions: number[] = [];
  for (let child = session; child.parent !== undefined; child = child.parent)
    positions.unshift(child.parent.children.indexOf(child) + 1);
  return positions.join(".");
}

function isClosed(error: unknown): boolean {
  return isObject(error) && error["code"] === "ERR_CONNECTION_CLOSED";
}
