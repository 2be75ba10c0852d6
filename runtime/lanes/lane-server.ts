import { textOfThrown } from "../base/errors.js";
import { getField } from "../base/own-fields.js";
import { asPromise } from "../base/promises.js";
import type { InvalidMessageProblem } from "../connection/message-checks.js";
import type { MessageFieldNames } from "../frames/spelling.js";
import type { LaneCheck } from "./lane-client.js";
import type { LaneProblem } from "./lane-error.js";
import type { CommandAnswers, LaneTable } from "./lane-table.js";
import { answerCount } from "./pending-commands.js";

/** The answers that a handler returns: none, one or several. */
export type LaneAnswer = object | readonly object[] | undefined | void;

/** Runs a command. */
export type LaneHandler = (values: unknown) => LaneAnswer | PromiseLike<LaneAnswer>;

export interface ServerCallbacks {
  /**
   * Encodes an answer or an event.
   *
   * @throws EncodeError if the message cannot be written.
   */
  readonly encode: (message: object) => Uint8Array;
  /** Writes bytes. Called once per message. Never throws. */
  readonly write: (bytes: Uint8Array) => void;
  /**
   * Settles once all bytes are written or can no longer be written. Undefined if no bytes are
   * waiting.
   */
  readonly whenWritten: () => Promise<unknown> | undefined;
  /** Handlers, by command. Commands without a handler get the answer for unknown commands. */
  readonly handlers: { readonly [command: string]: LaneHandler | undefined };
  /** Returns the problem for which a command must not be run. */
  readonly refuse: LaneCheck;
  readonly onInvalid: (problem: InvalidMessageProblem) => void;
  /** Called with a problem. Ends the connection after writing all pending bytes. */
  readonly onProblem: (problem: LaneProblem) => void;
  /** Maximum number of queued commands, and maximum total size of their lines, in bytes. */
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
}

/** A queue of commands that run one at a time. */
interface CommandQueue {
  /** Whether the commands wait while the program is running. */
  readonly waits: boolean;
  readonly commands: { readonly command: object; readonly bytes: number }[];
  isBusy: boolean;
}

/**
 * The server side of a protocol without ids. The commands in a lane run one at a time, because
 * answers are matched to commands by their order alone. Lanes that wait for stops run only while
 * the program is stopped.
 */
export class LaneServer {
  readonly #table: LaneTable;
  readonly #fields: { readonly command: MessageFieldNames; readonly message: MessageFieldNames };
  readonly #options: ServerCallbacks;
  /** The commands in all lanes that wait for stops, and those on lines with several commands. */
  readonly #waiting: CommandQueue = { waits: true, commands: [], isBusy: false };
  /** The commands in lanes that do not wait for stops, by lane. */
  readonly #immediate: ReadonlyMap<string, CommandQueue>;
  #waitingCount = 0;
  #waitingBytes = 0;
  /** Number of messages written so far. */
  #writtenCount = 0;
  #isStopped = false;
  #isClosed = false;

  constructor(
    table: LaneTable,
    fields: { readonly command: MessageFieldNames; readonly message: MessageFieldNames },
    options: ServerCallbacks,
  ) {
    this.#table = table;
    this.#fields = fields;
    this.#options = options;
    this.#immediate = new Map(
      Object.entries(table.lanes)
        .filter(([, { waits }]) => !waits)
        .map(([lane, { waits }]) => [lane, { waits, commands: [], isBusy: false }]),
    );
  }

  /** Whether the program is stopped. Commands that wait for a stop run only while it is. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Processes the commands on a line. If there are several, all of them wait for a stop. */
  receive(commands: readonly object[], bytes: number): void {
    const { maxWaiting, maxWaitingBytes } = this.#options;
    for (const [index, command] of commands.entries()) {
      if (this.#isClosed) return;
      const lane = this.#answersOf(command)?.lane;
      const immediate = lane === undefined ? undefined : this.#immediate.get(lane);
      const queue = (commands.length > 1 ? undefined : immediate) ?? this.#waiting;
      const commandBytes = index === 0 ? bytes : 0;
      queue.commands.push({ command, bytes: commandBytes });
      this.#waitingCount++;
      this.#waitingBytes += commandBytes;
      this.#drain(queue);
      if (this.#waitingCount <= maxWaiting && this.#waitingBytes <= maxWaitingBytes) continue;
      const text = `Cannot accept more commands: ${this.#waitingCount} are waiting`;
      this.#end({ code: "ERR_COMMANDS_WAITING", message: text });
    }
  }

  /**
   * Reports that the program has stopped, and runs the commands that were waiting for it to stop.
   *
   * @throws EncodeError if the event cannot be written.
   */
  stop(event: object): void {
    this.write(event);
    this.#isStopped = true;
    this.#drain(this.#waiting);
  }

  /**
   * Writes a message.
   *
   * @throws EncodeError if the message cannot be written.
   */
  write(message: object): void {
    this.#writeAll([message]);
  }

  /** Called when the connection ends. Discards waiting commands. */
  close(): void {
    this.#isClosed = true;
    for (const { commands } of [this.#waiting, ...this.#immediate.values()]) commands.length = 0;
  }

  /** Runs commands until one of them is asynchronous or the program is running. */
  #drain(queue: CommandQueue): void {
    if (queue.isBusy) return;
    queue.isBusy = true;
    while (queue.commands.length > 0 && (!queue.waits || this.#isStopped)) {
      const { command, bytes } = queue.commands.shift()!;
      this.#waitingCount--;
      this.#waitingBytes -= bytes;
      const pending = this.#run(command, queue) ?? this.#options.whenWritten();
      if (pending === undefined) continue;
      void pending
        .then(() => this.#options.whenWritten())
        .then(() => {
          queue.isBusy = false;
          this.#drain(queue);
        });
      return;
    }
    queue.isBusy = false;
  }

  /**
   * Runs a command and answers it. Returns a promise if either is asynchronous. Neither throws nor
   * rejects.
   */
  #run(command: object, queue: CommandQueue): Promise<void> | undefined {
    const written = this.#writtenCount;
    try {
      const result = this.#call(command);
      const promise = asPromise(result);
      if (promise === undefined) this.#answer(command, result as LaneAnswer, written);
      else
        return promise
          .then((answer) => this.#answer(command, answer as LaneAnswer, written))
          .catch((error: unknown) => this.#handleFailure(error, queue));
    } catch (error) {
      this.#handleFailure(error, queue);
    }
    return undefined;
  }

  /** Calls a command's handler, or returns the answer for unknown commands. */
  #call(command: object): ReturnType<LaneHandler> {
    const name = this.#nameOf(command);
    const { handlers } = this.#options;
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    const refusal = handler && this.#options.refuse("request", name, command);
    if (refusal !== undefined) this.#options.onInvalid(refusal);
    else if (handler !== undefined) {
      if (this.#answersOf(command)?.resumes === true) this.#isStopped = false;
      return handler(getField(command, this.#fields.command.payload));
    }
    const { unknown } = this.#table;
    if (unknown === undefined)
      throw new Error(refusal?.message ?? `there is no handler for "${name}"`);
    return this.#textMessage(unknown.name, `${unknown.begins?.[0] ?? ""}${name}`);
  }

  /**
   * Writes the answer to a command.
   *
   * @throws EncodeError if the answer cannot be written; Error if the handler returned no answer to
   * a command that requires one.
   */
  #answer(command: object, result: LaneAnswer, written: number): void {
    if (this.#writeAll(Array.isArray(result) ? (result as object[]) : [result]) > 0) return;
    const answers = this.#answersOf(command);
    const values = getField(command, this.#fields.command.payload);
    const isAwaited = answers !== undefined && answerCount(answers, values) > 0;
    if (isAwaited && this.#writtenCount === written)
      throw new Error(`the handler for "${this.#nameOf(command)}" returned no answer`);
  }

  #nameOf(command: object): string {
    return String(getField(command, this.#fields.command.name));
  }

  #answersOf(command: object): CommandAnswers | undefined {
    const name = this.#nameOf(command);
    return Object.hasOwn(this.#table.commands, name) ? this.#table.commands[name] : undefined;
  }

  /**
   * Called after a handler has failed. Its lane cannot continue, so either the program resumes or
   * the connection ends.
   */
  #handleFailure(error: unknown, queue: CommandQueue): void {
    if (this.#isClosed) return;
    const reason = textOfThrown(error);
    const isSent = this.#sendBreakdown(reason);
    if (isSent && queue.waits) this.#isStopped = false;
    else {
      const text = `Cannot run a command: ${reason}`;
      this.#end({ code: "ERR_COMMAND_HANDLER", message: text, cause: error });
    }
  }

  /** Reports a handler's failure to the peer. Returns false if that is not possible. */
  #sendBreakdown(reason: string): boolean {
    const { breakdown } = this.#table;
    if (breakdown === undefined) return false;
    const { name, begins } = breakdown;
    try {
      this.#writeAll([
        this.#textMessage(name, `${begins?.[0] ?? ""}${reason}\n`),
        this.#textMessage(name, ""),
      ]);
      return true;
    } catch {
      return false;
    }
  }

  #end(problem: LaneProblem): void {
    this.close();
    this.#options.onProblem(problem);
  }

  /**
   * Writes either all of the messages or none. Returns how many were written.
   *
   * @throws EncodeError if a message cannot be written.
   */
  #writeAll(messages: readonly LaneAnswer[]): number {
    const frames = messages
      .filter((message) => message !== undefined)
      .map((message) => this.#options.encode(message as object));
    for (const frame of frames) {
      this.#writtenCount++;
      this.#options.write(frame);
    }
    return frames.length;
  }

  #textMessage(name: string, text: string): object {
    const { message } = this.#fields;
    return { [message.name]: name, [message.payload]: { text } };
  }
}
