import { isThenable, textOfThrown } from "./lane-callback.js";
import type { LaneProblem } from "./lane-error.js";
import type { CommandAnswers, LaneTable } from "./lane-table.js";
import { getField } from "../base/own-fields.js";
import type { MessageFieldNames } from "../frames/spelling.js";
import { answerCount } from "./pending-command.js";

/** What a handler gives: nothing, one answer, or several. */
export type LaneAnswer = object | readonly object[] | undefined | void;

/** Carries out a command. */
export type LaneHandler = (values: unknown) => LaneAnswer | PromiseLike<LaneAnswer>;

export interface LaneServerOptions {
  /** The bytes of an answer or an event. @throws EncodeError */
  readonly encode: (message: object) => Uint8Array;
  /** Writes bytes; called once for each message. Never throws. */
  readonly write: (bytes: Uint8Array) => void;
  /** Settles when everything is written, or never will be; undefined if it is. */
  readonly whenWritten: () => Promise<unknown> | undefined;
  /** What carries out each command; one without a handler is answered like one that nobody knows. */
  readonly handlers: { readonly [command: string]: LaneHandler | undefined };
  /** Ends the connection behind what was written. */
  readonly onProblem: (problem: LaneProblem) => void;
  /** Commands that may wait for their turn, at most, and the bytes of their lines. */
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
}

/** Commands that are carried out one behind the other. */
interface CommandQueue {
  /** Whether they wait while the program runs. */
  readonly waits: boolean;
  readonly commands: { readonly command: object; readonly bytes: number }[];
  isBusy: boolean;
}

/**
 * The answering side of a protocol without ids. Commands of a lane are carried out one behind the other, since nothing
 * but their order tells what answers them; those of waiting lanes while the program is stopped.
 */
export class LaneServer {
  readonly #table: LaneTable;
  readonly #fields: { readonly command: MessageFieldNames; readonly message: MessageFieldNames };
  readonly #options: LaneServerOptions;
  /** Commands of all waiting lanes, and of lines with several. */
  readonly #waiting: CommandQueue = { waits: true, commands: [], isBusy: false };
  /** Commands of each other lane. */
  readonly #immediate: ReadonlyMap<string, CommandQueue>;
  #waitingCount = 0;
  #waitingBytes = 0;
  /** Messages written so far. */
  #writtenCount = 0;
  #isStopped = false;
  #isClosed = false;

  constructor(
    table: LaneTable,
    fields: { readonly command: MessageFieldNames; readonly message: MessageFieldNames },
    options: LaneServerOptions,
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

  /** Whether the program is stopped, so that commands of waiting lanes are carried out. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Takes the commands of one line of so many bytes; several on one line all wait for their turn. */
  receive(commands: readonly object[], bytes: number): void {
    const { maxWaiting, maxWaitingBytes } = this.#options;
    for (const [index, command] of commands.entries()) {
      if (this.#isClosed) return;
      const lane = this.#answersOf(command)?.lane;
      const immediate = lane === undefined ? undefined : this.#immediate.get(lane);
      const queue = (commands.length > 1 ? undefined : immediate) ?? this.#waiting;
      const own = index === 0 ? bytes : 0;
      queue.commands.push({ command, bytes: own });
      this.#waitingCount++;
      this.#waitingBytes += own;
      this.#drain(queue);
      if (this.#waitingCount <= maxWaiting && this.#waitingBytes <= maxWaitingBytes) continue;
      const text = `Cannot take more commands: ${this.#waitingCount} wait for their turn`;
      this.#end({ code: "ERR_COMMANDS_WAITING", text });
    }
  }

  /** Says that the program has stopped, then carries out what has waited for that. @throws EncodeError */
  stop(event: object): void {
    this.write(event);
    this.#isStopped = true;
    this.#drain(this.#waiting);
  }

  /** Writes a message. @throws EncodeError */
  write(message: object): void {
    this.#writeAll([message]);
  }

  /** Says that the connection is over: what waits is never carried out. */
  close(): void {
    this.#isClosed = true;
    for (const { commands } of [this.#waiting, ...this.#immediate.values()]) commands.length = 0;
  }

  /** Carries out commands until one takes its time, or the program runs. */
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

  /** Carries out a command and answers it. A promise where that takes time; never throws or rejects. */
  #run(command: object, queue: CommandQueue): Promise<void> | undefined {
    const written = this.#writtenCount;
    try {
      const result = this.#call(command);
      if (!isThenable(result)) this.#answer(command, result as LaneAnswer, written);
      else
        return new Promise<LaneAnswer>((settle) => settle(result))
          .then((answer) => this.#answer(command, answer, written))
          .catch((error: unknown) => this.#handleFailure(error, queue));
    } catch (error) {
      this.#handleFailure(error, queue);
    }
    return undefined;
  }

  /** What the handler of a command gives, or what says that there is none. */
  #call(command: object): ReturnType<LaneHandler> {
    const name = this.#nameOf(command);
    const { handlers } = this.#options;
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (handler !== undefined) {
      if (this.#answersOf(command)?.resumes === true) this.#isStopped = false;
      return handler(getField(command, this.#fields.command.payload));
    }
    const { unknown } = this.#table;
    if (unknown === undefined) throw new Error(`no handler carries out "${name}"`);
    return this.#textMessage(unknown.name, `${unknown.begins?.[0] ?? ""}${name}`);
  }

  /** @throws EncodeError; Error if a command is left without the answer that its sender waits for. */
  #answer(command: object, result: LaneAnswer, written: number): void {
    if (this.#writeAll(Array.isArray(result) ? (result as object[]) : [result]) > 0) return;
    const answers = this.#answersOf(command);
    const values = getField(command, this.#fields.command.payload);
    const isAwaited = answers !== undefined && answerCount(answers, values) > 0;
    if (isAwaited && this.#writtenCount === written)
      throw new Error(`the handler of "${this.#nameOf(command)}" gave no answer`);
  }

  #nameOf(command: object): string {
    return String(getField(command, this.#fields.command.name));
  }

  #answersOf(command: object): CommandAnswers | undefined {
    const name = this.#nameOf(command);
    return Object.hasOwn(this.#table.commands, name) ? this.#table.commands[name] : undefined;
  }

  /** A handler that fails takes its lane with it: the program runs on, or the connection ends. */
  #handleFailure(error: unknown, queue: CommandQueue): void {
    if (this.#isClosed) return;
    const reason = textOfThrown(error);
    const isSent = this.#sendBreakdown(reason);
    if (isSent && queue.waits) this.#isStopped = false;
    else {
      const text = `Cannot carry out a command: ${reason}`;
      this.#end({ code: "ERR_COMMAND_HANDLER", text, cause: error });
    }
  }

  /** Says that a handler has failed; false if that cannot be said. */
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

  /** Writes messages, all of them or none; gives their number. @throws EncodeError */
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
