import { getField } from "../base/own-fields.js";
import { abortReason, limitOf, onAbort, startTimer } from "../base/waiting-limits.js";
import { TimeoutError } from "../connection/call-errors.js";
import type { InvalidMessageProblem } from "../connection/message-checks.js";
import type { WaitOptions } from "../connection/options.js";
import type { MessageFieldNames } from "../frames/spelling.js";
import type { MessageKind } from "../protocol/message-fields.js";
import { laneClosedError, LaneError, type LaneProblem } from "./lane-error.js";
import { matchesPattern, textOf, type LaneTable } from "./lane-table.js";
import {
  advance,
  isText,
  LaneMatcher,
  pendingCommand,
  removePending,
  withoutBackslashes,
  type LaneQueue,
  type PendingCommand,
} from "./pending-commands.js";

/**
 * The client side of a protocol without ids. It works out which command each message answers.
 *
 * Within a lane, answers arrive in the order of the commands; answers in different lanes may
 * overtake each other. A message answers the first matching command in a lane. Earlier commands in
 * that lane are rejected, so that nothing waits forever. A command that has no answer is settled as
 * soon as it is written.
 */
export class LaneClient {
  readonly #table: LaneTable;
  readonly #fields: { readonly command: MessageFieldNames; readonly message: MessageFieldNames };
  readonly #options: ClientCallbacks;
  readonly #lanes: ReadonlyMap<string, LaneQueue>;
  /** Commands, by lane, that are held back until the text answer in their lane is complete. */
  readonly #held: ReadonlyMap<string, PendingCommand[]>;
  readonly #matcher: LaneMatcher;
  /** The last command in each lane that was settled without an answer. */
  readonly #settled = new Map<string, string>();
  /**
   * Whether the last message reported a breakdown, in which case the next one contains the details.
   */
  #hasBrokenDown = false;
  /** Number of commands that timed out or were aborted but whose answers may still arrive. */
  #givenUp = 0;
  #isReceiving = false;
  /** Lanes whose held commands are to be sent once the current message has been processed. */
  readonly #released = new Set<string>();
  #isClosed = false;
  #problem: LaneProblem | undefined;

  constructor(
    table: LaneTable,
    fields: { readonly command: MessageFieldNames; readonly message: MessageFieldNames },
    options: ClientCallbacks,
  ) {
    const lanes = Object.keys(table.lanes);
    this.#table = table;
    this.#fields = fields;
    this.#options = options;
    this.#lanes = new Map(lanes.map((lane) => [lane, []]));
    this.#held = new Map(lanes.map((lane) => [lane, []]));
    this.#matcher = new LaneMatcher(table, this.#lanes, options.nameOf);
  }

  /** Number of commands awaiting an answer. */
  get waiting(): number {
    return this.#expected - this.#givenUp;
  }

  /** Number of commands whose answers may still arrive. */
  get #expected(): number {
    return [...this.#lanes.values(), ...this.#held.values()].reduce(
      (sum, { length }) => sum + length,
      0,
    );
  }

  /**
   * Sends a command.
   *
   * @returns The answers: a single one, one for each item if the command takes an array, or none.
   * @throws Rejects with EncodeError if the command cannot be written; or with LaneError,
   * TimeoutError, ConnectionClosedError or the signal's abort reason if it fails.
   */
  send(
    command: string,
    values?: object,
    { signal, ...limits }: WaitOptions = {},
  ): Promise<readonly object[]> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw this.#cannotSend(command);
      if (signal?.aborted === true) throw abortReason(signal);
      const expected = this.#expected;
      if (expected >= this.#options.maxWaiting) {
        const text = `Cannot send "${command}": ${expected} commands are waiting for an answer`;
        throw new LaneError("ERR_COMMANDS_WAITING", command, text);
      }
      const answers = this.#matcher.answersOf(command);
      const timeoutMs =
        limits.timeoutMs === undefined ? this.#options.timeoutMs : limitOf(limits.timeoutMs);
      const pending = pendingCommand(command, values, answers, { resolve, reject, timeoutMs });
      if (signal !== undefined)
        pending.stopWatching = onAbort(signal, () => this.#giveUp(pending, abortReason(signal)));
      const held = this.#held.get(answers.lane)!;
      // Wait for a text answer to end, because two consecutive text answers could not be
      // distinguished.
      if (held.length > 0 || this.#hasText(answers.lane)) held.push(pending);
      else this.#write(pending);
    });
  }

  #write(pending: PendingCommand): void {
    const { command, values, answers, count, timeoutMs } = pending;
    const { name, payload } = this.#fields.command;
    const { encode, write, whenWritten } = this.#options;
    let bytes: Uint8Array;
    try {
      const encoded = encode({ [name]: command, ...(values && { [payload]: values }) });
      pending.line = withoutBackslashes(encoded.line);
      bytes = encoded.bytes;
    } catch (error) {
      this.#fail(pending, error);
      return;
    }
    if (count > 0) {
      pending.stopTimer = startTimer(timeoutMs ?? Infinity, () => this.#timeOut(pending));
      this.#lanes.get(answers.lane)!.push(pending);
      write(bytes);
      return;
    }
    this.#settled.set(answers.lane, command);
    write(bytes);
    const settle = (isWritten: boolean): void => {
      if (isWritten) this.#settle(pending);
      else this.#fail(pending, this.#cannotSend(command));
    };
    const writing = whenWritten();
    if (writing === undefined) settle(!this.#isClosed);
    else void writing.then(settle);
  }

  /**
   * Sends the commands that were held back until a text answer ended. The message that ended the
   * text does not answer any of them.
   */
  #sendHeld(lane: string): void {
    if (this.#isReceiving) {
      this.#released.add(lane);
      return;
    }
    const held = this.#held.get(lane)!;
    while (held.length > 0 && !this.#isClosed && !this.#hasText(lane)) this.#write(held.shift()!);
  }

  /** Returns whether a command with a text answer is pending in a lane. */
  #hasText(lane: string): boolean {
    return this.#lanes.get(lane)!.some(({ answers }) => isText(answers));
  }

  /**
   * Processes a message.
   *
   * @param sourceText Returns the message's bytes as text. An element inside a text answer is part
   * of that text.
   */
  receive(message: object, sourceText: () => string): void {
    this.#isReceiving = true;
    try {
      this.#receive(message, sourceText);
    } finally {
      this.#isReceiving = false;
      for (const lane of this.#released) this.#sendHeld(lane);
      this.#released.clear();
    }
  }

  #receive(message: object, sourceText: () => string): void {
    const name = getField(message, this.#fields.message.name);
    const body = getField(message, this.#fields.message.payload);
    if (typeof name !== "string") return;
    const { stops, notes } = this.#table;
    if (notes.some((pattern) => matchesPattern(pattern, name, body))) {
      this.#options.onNote(message);
      return;
    }
    if (this.#receiveText(name, body, sourceText)) return;
    if (stops.includes(name)) {
      const refusal = this.#options.refuse("event", name, message);
      if (refusal === undefined) this.#options.onEvent(message);
      else this.#options.onProblem(refusal);
    } else if (!this.#receiveBreakdown(message, name, body))
      this.#receiveAnswer(message, name, body);
  }

  /** Called when the connection ends. Rejects all pending commands. */
  close(problem?: LaneProblem): void {
    this.#isClosed = true;
    this.#problem = problem;
    for (const lane of this.#lanes.values())
      for (const pending of lane.splice(0))
        if (pending.text.hasBegun) this.#settle(pending);
        else this.#failClosed(pending);
    for (const lane of this.#held.values())
      for (const pending of lane.splice(0)) this.#failClosed(pending);
  }

  #failClosed(pending: PendingCommand): void {
    const { command } = pending;
    const text = `Cannot get an answer to "${command}": the connection was closed`;
    this.#fail(pending, laneClosedError(text, this.#problem));
  }

  #cannotSend(command: string): Error {
    return laneClosedError(`Cannot send "${command}": the connection is closed`, this.#problem);
  }

  #receiveAnswer(message: object, name: string, body: unknown): void {
    if (this.#receiveUnknown(message, name, body)) return;
    const best = this.#matcher.findBest(name, body);
    const settled = this.#settledCommandFor(name, body);
    if (best === undefined && settled === undefined && this.#receiveCustom(message)) return;
    if (best === undefined || (settled !== undefined && !best.isSure)) {
      this.#options.onUnexpected(message, settled);
      return;
    }
    const { lane, index, failure } = best;
    for (const skipped of advance(lane, index)) this.#skip(skipped);
    this.#answer(lane, message, failure === undefined ? undefined : textOf(failure, body).trim());
  }

  /**
   * Processes an error about a command that the peer does not know. That command may be pending in
   * any lane.
   */
  #receiveUnknown(message: object, name: string, body: unknown): boolean {
    const { unknown } = this.#table;
    if (unknown === undefined || !matchesPattern(unknown, name, body)) return false;
    const text = textOf(unknown, body).trim();
    const pending = this.#matcher.removeUnknown(text);
    if (pending === undefined) return false;
    this.#fail(pending, new LaneError("ERR_COMMAND_FAILED", pending.command, text, [message]));
    return true;
  }

  /**
   * Processes a message that may answer an undefined command. Its answers are unknown, so any
   * message that does not answer another command is accepted.
   */
  #receiveCustom(message: object): boolean {
    const pending = this.#matcher.removeCustom();
    if (pending === undefined) return false;
    pending.received.push(message);
    this.#settle(pending);
    return true;
  }

  /** Adds an answer to the command at the head of a lane. */
  #answer(lane: LaneQueue, message: object, failure: string | undefined): void {
    const pending = lane[0]!;
    pending.received.push(message);
    const { command, received } = pending;
    if (failure !== undefined)
      pending.failure ??= new LaneError("ERR_COMMAND_FAILED", command, failure, received);
    const refusal = this.#options.refuse("response", command, message);
    if (refusal !== undefined)
      pending.failure ??= new LaneError(refusal.code, command, refusal.message, received);
    if (pending.received.length < pending.count && !isText(pending.answers)) return;
    lane.shift();
    this.#settle(pending);
  }

  /** Resolves or rejects a command that has been removed from its lane. */
  #settle(pending: PendingCommand): void {
    const { answers, command, text, received } = pending;
    if (pending.failure === undefined && text.hasBegun) {
      const body = { text: text.toString() };
      const name = answers.answers[0]!;
      received.push({ [this.#fields.message.name]: name, [this.#fields.message.payload]: body });
      if (answers.failures.some((failure) => matchesPattern(failure, name, body)))
        pending.failure = new LaneError("ERR_COMMAND_FAILED", command, body.text.trim(), received);
    }
    if (pending.failure !== undefined) {
      this.#fail(pending, pending.failure);
      return;
    }
    this.#stopWaiting(pending);
    pending.resolve(received);
  }

  /** Rejects a command that has been removed from its lane. */
  #fail(pending: PendingCommand, error: unknown): void {
    this.#stopWaiting(pending);
    pending.reject(error);
  }

  #stopWaiting({ answers, stopTimer, stopWatching, stopSilence }: PendingCommand): void {
    stopTimer();
    stopWatching();
    stopSilence();
    if (isText(answers)) this.#sendHeld(answers.lane);
  }

  /** Settles a command that will no longer be answered, because a later one has been. */
  #skip(pending: PendingCommand): void {
    const { command, received, text } = pending;
    if (received.length > 0 || text.hasBegun) {
      this.#settle(pending);
      return;
    }
    const why = `No answer to "${command}": a later command was answered`;
    this.#fail(pending, new LaneError("ERR_ANSWER_MISSING", command, why));
  }

  #timeOut(pending: PendingCommand): void {
    const { command, timeoutMs } = pending;
    const why = `Timed out after ${timeoutMs} ms waiting for an answer to "${command}"`;
    this.#giveUp(pending, new TimeoutError(why));
  }

  /**
   * Rejects a command that timed out or was aborted. The command keeps its place in the lane, so
   * that a late answer to it is not mistaken for the answer to the next command. A command with a
   * text answer loses its place, because the commands after it are not sent until the text ends.
   */
  #giveUp(pending: PendingCommand, error: unknown): void {
    const { answers, command } = pending;
    if (removePending(this.#held.get(answers.lane)!, pending) || isText(answers)) {
      removePending(this.#lanes.get(answers.lane)!, pending);
      this.#fail(pending, error);
      return;
    }
    pending.stopTimer();
    pending.stopWatching();
    pending.reject(error);
    this.#givenUp += 1;
    const receiveLate = (late: readonly object[]): void => {
      this.#givenUp -= 1;
      for (const message of late) this.#options.onUnexpected(message, command);
    };
    pending.resolve = receiveLate;
    pending.reject = (failure) => receiveLate(failure instanceof LaneError ? failure.answers : []);
  }

  /**
   * Processes a message while a text answer is pending. The text ends where another message begins,
   * or after a period without input.
   */
  #receiveText(name: string, body: unknown, sourceText: () => string): boolean {
    for (const lane of this.#lanes.values()) {
      const [head] = lane;
      if (head === undefined || !isText(head.answers)) continue;
      const isOwn = head.answers.answers.includes(name);
      // Inside a line of text, every message is text.
      if (!head.text.isLineOpen && (!isOwn || this.#matcher.isOfOtherLane(head, name, body))) {
        if (!head.text.hasBegun || this.#matcher.isOfOtherLane(head, name, body)) continue;
        lane.shift();
        this.#settle(head);
        continue;
      }
      this.#addText(lane, head, sourceText());
      return true;
    }
    return false;
  }

  #addText(lane: LaneQueue, head: PendingCommand, part: string): void {
    const { maxTextLength, textSilenceMs } = this.#options;
    head.stopSilence();
    if (!head.text.add(part, maxTextLength) && head.failure === undefined) {
      const { command } = head;
      const why = `Cannot accept an answer to "${command}" of more than ${maxTextLength} characters`;
      head.failure = new LaneError("ERR_ANSWER_TOO_LONG", command, why);
      // Keep the command in its lane, so that the rest of the text is not mistaken for another
      // answer.
      head.reject(head.failure);
    }
    if (head.text.isLineOpen) return;
    head.stopSilence = startTimer(textSilenceMs, () => {
      if (lane[0] !== head) return;
      lane.shift();
      this.#settle(head);
    });
  }

  /** Processes the two messages with which a program reports an internal failure. */
  #receiveBreakdown(message: object, name: string, body: unknown): boolean {
    const { breakdown } = this.#table;
    if (breakdown === undefined) return false;
    if (this.#hasBrokenDown && name === breakdown.name) {
      this.#hasBrokenDown = false;
      this.#options.onNote(message);
      return true;
    }
    this.#hasBrokenDown = matchesPattern(breakdown, name, body);
    if (!this.#hasBrokenDown) return false;
    const pending = this.#matcher.removeBrokenDown();
    if (pending === undefined)
      this.#options.onUnexpected(message, this.#settledCommandFor(name, body));
    else {
      const why = textOf(breakdown, body).trim();
      this.#fail(pending, new LaneError("ERR_COMMAND_FAILED", pending.command, why, [message]));
    }
    return true;
  }

  /**
   * Returns the command that was settled without an answer but may be the one that a message
   * belongs to.
   */
  #settledCommandFor(name: string, body: unknown): string | undefined {
    return [...this.#settled.values()].find((command) =>
      this.#table.commands[command]!.failures.some((failure) =>
        matchesPattern(failure, name, body),
      ),
    );
  }
}

/**
 * Returns the problem for which a message must not be delivered, or undefined if it may be.
 *
 * @param name The message's name. For a response, the name of its command.
 */
export type LaneCheck = (
  kind: MessageKind,
  name: string,
  message: object,
) => InvalidMessageProblem | undefined;

/** The parts of a connection that a lane client needs. */
export interface ClientCallbacks {
  /**
   * Encodes a command. Returns its line and its bytes.
   *
   * @throws EncodeError if the command cannot be written.
   */
  readonly encode: (command: object) => { readonly line: string; readonly bytes: Uint8Array };
  /** Writes a command's bytes. Called once per command. Never throws. */
  readonly write: (bytes: Uint8Array) => void;
  /**
   * Resolves to true once all bytes are written, or to false if they can no longer be written.
   * Undefined if no bytes are waiting.
   */
  readonly whenWritten: () => Promise<boolean> | undefined;
  /** Returns the defined command that an undefined command's line resembles. */
  readonly nameOf: (line: string) => string | undefined;
  /** Returns the problem for which a message must not be delivered. */
  readonly refuse: LaneCheck;
  readonly onProblem: (problem: InvalidMessageProblem) => void;
  readonly onEvent: (event: object) => void;
  readonly onNote: (note: object) => void;
  readonly onUnexpected: (message: object, command: string | undefined) => void;
  /** Default timeout of a command, in milliseconds, as returned by `limitOf`. */
  readonly timeoutMs: number | undefined;
  /**
   * Milliseconds without input after which text that ends with a line break is considered complete.
   */
  readonly textSilenceMs: number;
  /** Maximum length of a text answer. */
  readonly maxTextLength: number;
  /** Maximum number of commands awaiting an answer. */
  readonly maxWaiting: number;
}
