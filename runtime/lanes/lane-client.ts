import { JoinedText } from "../base/joined-text.js";
import { LaneError, type LaneProblem } from "./lane-error.js";
import { LaneMatcher, withoutBackslashes } from "./lane-matcher.js";
import { LaneQueue } from "./lane-queue.js";
import { matchesPattern, textOf, type LaneTable } from "./lane-table.js";
import { startTimer } from "../base/waiting-limits.js";
import { getField } from "../base/own-fields.js";
import type { MessageFieldNames } from "../frames/spelling.js";
import { answerCount, isCustom, isText, type WaitingCommand } from "./waiting-command.js";

export interface LaneClientOptions {
  /** The line of a command, and its bytes. @throws EncodeError */
  readonly encode: (command: object) => { readonly line: string; readonly bytes: Uint8Array };
  /** Writes the bytes of a command; called once for each. Never throws. */
  readonly write: (bytes: Uint8Array) => void;
  /** Settles when everything is written, with false if it never will be; undefined if it is. */
  readonly whenWritten: () => Promise<boolean> | undefined;
  /** The command that a line seems to mean that the protocol does not define. */
  readonly nameOf: (line: string) => string | undefined;
  readonly onEvent: (event: object) => void;
  readonly onNote: (note: object) => void;
  readonly onUnexpected: (message: object, command: string | undefined) => void;
  /** Milliseconds after which a command is given up; Infinity: never. */
  readonly timeoutMs: number;
  /** Milliseconds of silence after which a text that ends its line is whole. */
  readonly textSilenceMs: number;
  /** Length of an answer in text, at most. */
  readonly maxTextLength: number;
  /** Commands that may wait for an answer, at most. */
  readonly maxWaiting: number;
}

/**
 * The asking side of a protocol without ids: tells which command each message answers.
 *
 * Answers of a lane come in the order of its commands; those of different lanes overtake each other. A message
 * is taken by the command at the head of a lane that it fits; a command that is passed over is given up, so
 * that nothing waits for ever. A command that nothing answers is settled as soon as it is written.
 */
export class LaneClient {
  readonly #table: LaneTable;
  readonly #fields: { readonly command: MessageFieldNames; readonly message: MessageFieldNames };
  readonly #options: LaneClientOptions;
  readonly #lanes: ReadonlyMap<string, LaneQueue>;
  /** Commands that are sent once a text before them is whole. */
  readonly #held: ReadonlyMap<string, WaitingCommand[]>;
  readonly #matcher: LaneMatcher;
  /** Last command of each lane that was settled without an answer. */
  readonly #settled = new Map<string, string>();
  /** The message behind a breakdown says more about it. */
  #brokeDown = false;
  /** A message is being taken; the lanes that may send again behind it. */
  #isReceiving = false;
  readonly #released = new Set<string>();
  #isClosed = false;
  #problem: LaneProblem | undefined;

  constructor(
    table: LaneTable,
    fields: { readonly command: MessageFieldNames; readonly message: MessageFieldNames },
    options: LaneClientOptions,
  ) {
    const lanes = Object.keys(table.lanes);
    this.#table = table;
    this.#fields = fields;
    this.#options = options;
    this.#lanes = new Map(lanes.map((lane) => [lane, new LaneQueue()]));
    this.#held = new Map(lanes.map((lane) => [lane, []]));
    this.#matcher = new LaneMatcher(table, this.#lanes, options.nameOf);
  }

  /** Number of commands that wait for an answer. */
  get waiting(): number {
    return [...this.#lanes.values(), ...this.#held.values()].reduce(
      (sum, lane) => sum + lane.length,
      0,
    );
  }

  /**
   * Sends a command.
   *
   * @returns its answers: one, one for each item where the command has a list, or none.
   * @throws EncodeError, as a rejection, if it cannot be written; LaneError if it comes to nothing.
   */
  send(command: string, values?: object): Promise<readonly object[]> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) {
        reject(this.#cannotSend(command));
        return;
      }
      if (this.waiting >= this.#options.maxWaiting) {
        const text = `Cannot send "${command}": ${this.waiting} commands wait for an answer`;
        reject(new LaneError("ERR_COMMANDS_WAITING", command, text));
        return;
      }
      const answers = this.#matcher.answersOf(command);
      const waiting: WaitingCommand = {
        command,
        values,
        answers,
        count: answerCount(answers, values),
        got: [],
        line: "",
        text: new JoinedText(),
        hasText: false,
        isLineOpen: false,
        failure: undefined,
        resolve,
        reject,
        stopTimer: nothing,
        stopSilence: nothing,
      };
      const held = this.#held.get(answers.lane)!;
      // Two texts in a row could not be told apart.
      if (held.length > 0 || this.#lanes.get(answers.lane)!.hasText) held.push(waiting);
      else this.#write(waiting);
    });
  }

  #write(waiting: WaitingCommand): void {
    const { command, values, answers, count, resolve, reject } = waiting;
    const { name, payload } = this.#fields.command;
    const { encode, write, whenWritten, timeoutMs } = this.#options;
    let bytes: Uint8Array;
    try {
      const message =
        values === undefined ? { [name]: command } : { [name]: command, [payload]: values };
      const encoded = encode(message);
      waiting.line = withoutBackslashes(encoded.line);
      bytes = encoded.bytes;
    } catch (error) {
      reject(error as Error);
      return;
    }
    if (count > 0) {
      waiting.stopTimer = startTimer(timeoutMs, () => this.#giveUp(waiting));
      this.#lanes.get(answers.lane)!.push(waiting);
      write(bytes);
      return;
    }
    this.#settled.set(answers.lane, command);
    write(bytes);
    const settle = (isWritten: boolean): void =>
      isWritten ? resolve([]) : reject(this.#cannotSend(command));
    const writing = whenWritten();
    if (writing === undefined) settle(!this.#isClosed);
    else void writing.then(settle);
  }

  /** Sends what has waited for a text to end. What arrives at this moment answers none of it. */
  #release(lane: string): void {
    if (this.#isReceiving) {
      this.#released.add(lane);
      return;
    }
    const held = this.#held.get(lane)!;
    while (held.length > 0 && !this.#isClosed && !this.#lanes.get(lane)!.hasText)
      this.#write(held.shift()!);
  }

  /**
   * Takes a message that arrived.
   *
   * @param spelled How it was spelled; an element that stands in a text is given back like that.
   */
  receive(message: object, spelled: () => string): void {
    this.#isReceiving = true;
    try {
      this.#receive(message, spelled);
    } finally {
      this.#isReceiving = false;
      for (const lane of this.#released) this.#release(lane);
      this.#released.clear();
    }
  }

  #receive(message: object, spelled: () => string): void {
    const name = getField(message, this.#fields.message.name);
    const body = getField(message, this.#fields.message.payload);
    if (typeof name !== "string") return;
    const { stops, notes } = this.#table;
    if (notes.some((pattern) => matchesPattern(pattern, name, body))) {
      this.#options.onNote(message);
      return;
    }
    if (this.#takeText(name, body, spelled)) return;
    if (stops.includes(name)) this.#options.onEvent(message);
    else if (!this.#takeBreakdown(message, name, body)) this.#take(message, name, body);
  }

  /** Says that the connection is over: whatever waits is given up. */
  close(problem?: LaneProblem): void {
    this.#isClosed = true;
    this.#problem = problem;
    for (const lane of this.#lanes.values())
      for (let waiting = lane.shift(); waiting !== undefined; waiting = lane.shift())
        if (waiting.hasText) this.#settle(waiting);
        else this.#failClosed(waiting);
    for (const lane of this.#held.values())
      for (const waiting of lane.splice(0)) this.#failClosed(waiting);
  }

  #failClosed(waiting: WaitingCommand): void {
    const { command } = waiting;
    const text = `Cannot get an answer to "${command}": the connection was closed`;
    this.#fail(waiting, this.#closedError(command, text));
  }

  #cannotSend(command: string): LaneError {
    return this.#closedError(command, "Cannot send: the connection is closed");
  }

  #closedError(command: string, text: string): LaneError {
    const problem = this.#problem;
    return problem === undefined
      ? new LaneError("ERR_CONNECTION_CLOSED", command, text)
      : new LaneError("ERR_CONNECTION_CLOSED", command, `${text}: ${problem.text}`, [], problem);
  }

  #take(message: object, name: string, body: unknown): void {
    if (this.#takeUnknown(message, name, body)) return;
    const best = this.#matcher.bestFor(name, body);
    const settled = this.#settledWith(name, body);
    if (best === undefined && settled === undefined && this.#takeCustom(message)) return;
    if (best === undefined || (settled !== undefined && !best.isSure)) {
      this.#options.onUnexpected(message, settled);
      return;
    }
    const { lane, index, failure } = best;
    for (const passed of lane.advance(index, ({ answers }) => isCustom(answers)))
      this.#pass(passed);
    this.#answer(lane, message, failure === undefined ? undefined : textOf(failure, body).trim());
  }

  /** A command that the other side does not know waits in whatever lane it belongs to here. */
  #takeUnknown(message: object, name: string, body: unknown): boolean {
    const { unknown } = this.#table;
    if (unknown === undefined || !matchesPattern(unknown, name, body)) return false;
    const said = textOf(unknown, body).trim();
    const waiting = this.#matcher.removeUnknown(said);
    if (waiting === undefined) return false;
    this.#fail(waiting, new LaneError("ERR_COMMAND_FAILED", waiting.command, said, [message]));
    return true;
  }

  /** Nobody knows what answers a command that the protocol does not define: what answers nothing else does. */
  #takeCustom(message: object): boolean {
    const waiting = this.#matcher.removeCustom();
    if (waiting === undefined) return false;
    waiting.got.push(message);
    this.#settle(waiting);
    return true;
  }

  /** The command at the head of a lane gets an answer. */
  #answer(lane: LaneQueue, message: object, failure: string | undefined): void {
    const waiting = lane.head!;
    waiting.got.push(message);
    if (failure !== undefined)
      waiting.failure ??= new LaneError(
        "ERR_COMMAND_FAILED",
        waiting.command,
        failure,
        waiting.got,
      );
    if (waiting.got.length < waiting.count && !isText(waiting.answers)) return;
    lane.shift();
    this.#settle(waiting);
  }

  /** A command that was taken out of its lane gets what was said to it. */
  #settle(waiting: WaitingCommand): void {
    const { answers, command, text, hasText, got } = waiting;
    if (waiting.failure === undefined && hasText) {
      const body = { text: text.toString() };
      const name = answers.answers[0]!;
      got.push({ [this.#fields.message.name]: name, [this.#fields.message.payload]: body });
      if (answers.failures.some((each) => matchesPattern(each, name, body)))
        waiting.failure = new LaneError("ERR_COMMAND_FAILED", command, body.text.trim(), got);
    }
    if (waiting.failure !== undefined) {
      this.#fail(waiting, waiting.failure);
      return;
    }
    this.#leave(waiting);
    waiting.resolve(got);
  }

  /** A command that was taken out of its lane comes to nothing. */
  #fail(waiting: WaitingCommand, error: LaneError): void {
    this.#leave(waiting);
    waiting.reject(error);
  }

  #leave({ answers, stopTimer, stopSilence }: WaitingCommand): void {
    stopTimer();
    stopSilence();
    if (isText(answers)) this.#release(answers.lane);
  }

  /** A command whose turn is over without an answer. */
  #pass(waiting: WaitingCommand): void {
    const { command, got, hasText } = waiting;
    if (got.length > 0 || hasText) {
      this.#settle(waiting);
      return;
    }
    const why = `Cannot find an answer to "${command}": a later command was answered`;
    this.#fail(waiting, new LaneError("ERR_ANSWER_MISSING", command, why));
  }

  #giveUp(waiting: WaitingCommand): void {
    const { command, answers } = waiting;
    if (!this.#lanes.get(answers.lane)!.remove(waiting)) return;
    const { timeoutMs } = this.#options;
    const why = `Cannot wait longer for an answer to "${command}": ${timeoutMs} ms are over`;
    this.#fail(waiting, new LaneError("ERR_ANSWER_LATE", command, why));
  }

  /** A text of any length ends where something else begins, or where nothing comes for a while. */
  #takeText(name: string, body: unknown, spelled: () => string): boolean {
    for (const lane of this.#lanes.values()) {
      const { head } = lane;
      if (head === undefined || !isText(head.answers)) continue;
      const isOwn = head.answers.answers.includes(name);
      // What stands in a line of text is text, whatever it looks like.
      if (!head.isLineOpen && (!isOwn || this.#matcher.isOfOtherLane(head, name, body))) {
        if (!head.hasText || this.#matcher.isOfOtherLane(head, name, body)) continue;
        lane.shift();
        this.#settle(head);
        continue;
      }
      this.#addText(lane, head, spelled());
      return true;
    }
    return false;
  }

  #addText(lane: LaneQueue, head: WaitingCommand, part: string): void {
    const { maxTextLength, textSilenceMs } = this.#options;
    const { command, text } = head;
    head.stopSilence();
    head.hasText = true;
    if (head.failure === undefined && text.length + part.length > maxTextLength) {
      const why = `Cannot take an answer to "${command}" of more than ${maxTextLength} characters`;
      head.failure = new LaneError("ERR_ANSWER_TOO_LONG", command, why);
      head.text = new JoinedText();
      // It stays in its lane, so that the rest of the text answers nothing else.
      head.reject(head.failure);
    }
    if (head.failure === undefined) text.add(part);
    head.isLineOpen = !part.endsWith("\n");
    if (head.isLineOpen) return;
    head.stopSilence = startTimer(textSilenceMs, () => {
      if (lane.head !== head) return;
      lane.shift();
      this.#settle(head);
    });
  }

  #takeBreakdown(message: object, name: string, body: unknown): boolean {
    const { breakdown } = this.#table;
    if (breakdown === undefined) return false;
    if (this.#brokeDown && name === breakdown.name) {
      this.#brokeDown = false;
      this.#options.onNote(message);
      return true;
    }
    this.#brokeDown = matchesPattern(breakdown, name, body);
    if (!this.#brokeDown) return false;
    // While the program is stopped the waiting lane is at work; the other one is quick.
    const lanes = [...this.#lanes].sort(
      ([a], [b]) => Number(this.#table.lanes[b]!.waits) - Number(this.#table.lanes[a]!.waits),
    );
    const waiting = lanes.find(([, lane]) => lane.length > 0)?.[1].shift();
    if (waiting === undefined) this.#options.onUnexpected(message, this.#settledWith(name, body));
    else {
      const why = textOf(breakdown, body).trim();
      this.#fail(waiting, new LaneError("ERR_COMMAND_FAILED", waiting.command, why, [message]));
    }
    return true;
  }

  /** The command without an answer that a message is perhaps about. */
  #settledWith(name: string, body: unknown): string | undefined {
    return [...this.#settled.values()].find((command) =>
      this.#table.commands[command]!.failures.some((each) => matchesPattern(each, name, body)),
    );
  }
}

function nothing(): void {}
