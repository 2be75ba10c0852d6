import type { LaneTable } from "./lane-table.js";
import { getField, type MessageFieldNames } from "./notation.js";

/** What a handler gives: nothing, one answer, or several. */
export type LaneAnswer = object | readonly object[] | undefined | void;

export interface LaneServerOptions {
  /** Writes an answer or an event; called once for each. */
  readonly write: (message: object) => void;
  /** What carries out each command; one without a handler is answered like one that nobody knows. */
  readonly handlers: {
    readonly [command: string]: ((values: unknown) => LaneAnswer | Promise<LaneAnswer>) | undefined;
  };
  /** Called when a handler has failed in a lane that does not wait: the connection is to be closed. */
  readonly onBreakdown?: (error: unknown) => void;
}

/**
 * The answering side of a protocol without ids. Commands of a waiting lane are carried out in order while the
 * program is stopped; the others at once.
 */
export class LaneServer {
  readonly #table: LaneTable;
  readonly #fields: { readonly command: MessageFieldNames; readonly message: MessageFieldNames };
  readonly #options: LaneServerOptions;
  readonly #queue: object[] = [];
  #isStopped = false;
  #isBusy = false;

  constructor(
    table: LaneTable,
    fields: { readonly command: MessageFieldNames; readonly message: MessageFieldNames },
    options: LaneServerOptions,
  ) {
    this.#table = table;
    this.#fields = fields;
    this.#options = options;
  }

  /** Whether the program is stopped, so that commands of waiting lanes are carried out. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Takes the commands of one line; several on one line all wait for their turn. */
  receive(commands: readonly object[]): void {
    for (const command of commands) {
      const lane = this.#answersOf(command)?.lane;
      const waits = commands.length > 1 || lane === undefined || this.#table.lanes[lane]!.waits;
      if (waits) this.#queue.push(command);
      else void this.#carryOut(command, false);
    }
    void this.#drain();
  }

  /** Says that the program has stopped, then carries out what has waited for that. */
  stop(event: object): void {
    this.#isStopped = true;
    this.#options.write(event);
    void this.#drain();
  }

  async #drain(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#isStopped && this.#queue.length > 0)
      await this.#carryOut(this.#queue.shift()!, true);
    this.#isBusy = false;
  }

  async #carryOut(command: object, isWaiting: boolean): Promise<void> {
    const name = String(getField(command, this.#fields.command.name));
    const handler = Object.hasOwn(this.#options.handlers, name)
      ? this.#options.handlers[name]
      : undefined;
    const values = getField(command, this.#fields.command.payload);
    if (handler === undefined) {
      this.#refuse(name);
      return;
    }
    if (this.#answersOf(command)?.resumes === true) this.#isStopped = false;
    try {
      const given = handler(values);
      const answer = given instanceof Promise ? await given : given;
      for (const each of Array.isArray(answer) ? (answer as readonly object[]) : [answer])
        if (each !== undefined) this.#options.write(each as object);
    } catch (error) {
      this.#breakDown(error, isWaiting);
    }
  }

  #answersOf(command: object): LaneTable["commands"][string] | undefined {
    const name = String(getField(command, this.#fields.command.name));
    return Object.hasOwn(this.#table.commands, name) ? this.#table.commands[name] : undefined;
  }

  #refuse(name: string): void {
    const { unknown } = this.#table;
    if (unknown !== undefined) this.#write(unknown.name, `${unknown.begins?.[0] ?? ""}${name}`);
  }

  /** A handler that fails takes its lane with it: the program runs on, or the connection ends. */
  #breakDown(error: unknown, isWaiting: boolean): void {
    const { breakdown } = this.#table;
    if (breakdown !== undefined) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#write(breakdown.name, `${breakdown.begins?.[0] ?? ""}${reason}\n`);
      this.#write(breakdown.name, "");
    }
    if (isWaiting) this.#isStopped = false;
    else this.#options.onBreakdown?.(error);
  }

  #write(name: string, text: string): void {
    const { message } = this.#fields;
    this.#options.write({ [message.name]: name, [message.payload]: { text } });
  }
}
