import { getField } from "../base/own-fields.js";
import { nothing } from "../base/promises.js";
import { StringBuilder } from "../base/string-builder.js";
import type { LaneError } from "./lane-error.js";
import {
  matchesPattern,
  type AnswerPattern,
  type CommandAnswers,
  type LaneTable,
} from "./lane-table.js";

/** A pending command that a message may answer. */
interface Fit {
  readonly lane: LaneQueue;
  readonly index: number;
  readonly rank: number;
  /** Whether the match is certain. */
  readonly isSure: boolean;
  readonly failure: AnswerPattern | undefined;
}

/** Finds the pending command that a message belongs to. */
export class LaneMatcher {
  readonly #table: LaneTable;
  readonly #lanes: ReadonlyMap<string, LaneQueue>;
  readonly #nameOf: (line: string) => string | undefined;
  /** Answers to undefined commands, keyed by the defined command that they resemble. */
  readonly #customAnswers = new Map<string | undefined, CommandAnswers>();

  constructor(
    table: LaneTable,
    lanes: ReadonlyMap<string, LaneQueue>,
    nameOf: (line: string) => string | undefined,
  ) {
    this.#table = table;
    this.#lanes = lanes;
    this.#nameOf = nameOf;
  }

  /** Returns the answers to a command. Any message may answer an undefined command. */
  answersOf(command: string): CommandAnswers {
    const { commands } = this.#table;
    if (Object.hasOwn(commands, command)) return commands[command]!;
    const similar = this.#nameOf(command);
    const defined = Object.hasOwn(commands, similar ?? "") ? similar : undefined;
    let answers = this.#customAnswers.get(defined);
    if (answers === undefined)
      this.#customAnswers.set(defined, (answers = this.#customLike(defined)));
    return answers;
  }

  #customLike(defined: string | undefined): CommandAnswers {
    const { commands, unknown, lanes } = this.#table;
    const { lane, failures } =
      defined === undefined
        ? { lane: unknown?.lane ?? Object.keys(lanes)[0]!, failures: [] }
        : commands[defined]!;
    return { lane, answers: [anyAnswer], failures };
  }

  /**
   * Returns the pending command that best matches a message. Considers the first match in each
   * lane, and prefers the head of a lane, then certain matches.
   */
  findBest(name: string, body: unknown): Fit | undefined {
    let best: Fit | undefined;
    for (const lane of this.#lanes.values()) {
      const index = lane.indexOf(
        ({ answers, failures }) =>
          answers.includes(name) || failures.some((failure) => matchesPattern(failure, name, body)),
      );
      if (index < 0) continue;
      const { failures } = lane.at(index)!.answers;
      const failure = failures.find((each) => matchesPattern(each, name, body));
      // A message whose text is known is a more certain match than one that may answer any command.
      const isSure =
        failure === undefined
          ? name !== this.#table.unknown?.name
          : failure.begins !== undefined || failure.where !== undefined;
      const rank = (index === 0 ? 0 : 2) + (isSure ? 0 : 1);
      if (best === undefined || rank < best.rank) best = { lane, index, rank, isSure, failure };
    }
    return best;
  }

  /** Removes the command that an error message reports as unknown. */
  removeUnknown(text: string): PendingCommand | undefined {
    const unescaped = withoutBackslashes(text);
    return this.#remove((lane) =>
      lane.find((line) => unescaped.endsWith(line) && unescaped.endsWith(`: ${line}`)),
    );
  }

  /** Removes the first command that the protocol does not define. */
  removeCustom(): PendingCommand | undefined {
    return this.#remove((lane) => lane.at(lane.indexOf(isCustom)));
  }

  /**
   * Removes the command that caused an internal failure. While the program is stopped, that is
   * probably a command in the lane that waits for stops, because commands in the other lane
   * complete quickly.
   */
  removeBrokenDown(): PendingCommand | undefined {
    const lanes = [...this.#lanes].sort(
      ([a], [b]) => Number(this.#table.lanes[b]!.waits) - Number(this.#table.lanes[a]!.waits),
    );
    return lanes.find(([, { length }]) => length > 0)?.[1].shift();
  }

  #remove(find: (lane: LaneQueue) => PendingCommand | undefined): PendingCommand | undefined {
    for (const lane of this.#lanes.values()) {
      const pending = find(lane);
      if (pending !== undefined && lane.remove(pending)) return pending;
    }
    return undefined;
  }

  /** Returns whether a message answers the command at the head of another lane. */
  isOfOtherLane(head: PendingCommand, name: string, body: unknown): boolean {
    for (const [lane, { head: first }] of this.#lanes) {
      if (lane === head.answers.lane || first === undefined) continue;
      const { answers, failures } = first.answers;
      if (answers.includes(name) || failures.some((failure) => matchesPattern(failure, name, body)))
        return true;
    }
    return false;
  }
}

/** Removes backslashes the way the peer does when it echoes a line. */
export function withoutBackslashes(line: string): string {
  return line.replaceAll("\\", "");
}

/**
 * A lane's pending commands, in order.
 *
 * Commands are counted by the kind of answer that they expect, so that an unexpected message does
 * not require a scan of the whole queue.
 */
export class LaneQueue {
  #commands: PendingCommand[] = [];
  readonly #counts = new Map<CommandAnswers, number>();

  get length(): number {
    return this.#commands.length;
  }

  get head(): PendingCommand | undefined {
    return this.#commands[0];
  }

  at(index: number): PendingCommand | undefined {
    return this.#commands[index];
  }

  /** Whether a command with a text answer is pending. */
  get hasText(): boolean {
    for (const answers of this.#counts.keys()) if (isText(answers)) return true;
    return false;
  }

  push(command: PendingCommand): void {
    this.#commands.push(command);
    this.#count(command, 1);
  }

  /** Returns the index of the first command with matching answers, or -1. */
  indexOf(fits: (answers: CommandAnswers) => boolean): number {
    const fitting = new Set<CommandAnswers>();
    for (const answers of this.#counts.keys()) if (fits(answers)) fitting.add(answers);
    return fitting.size === 0
      ? -1
      : this.#commands.findIndex(({ answers }) => fitting.has(answers));
  }

  /** Returns the first command with a matching line. */
  find(isLine: (line: string) => boolean): PendingCommand | undefined {
    return this.#commands.find(({ line }) => isLine(line));
  }

  shift(): PendingCommand | undefined {
    const command = this.#commands.shift();
    if (command !== undefined) this.#count(command, -1);
    return command;
  }

  /** Removes a command. Returns false if it is not pending. */
  remove(command: PendingCommand): boolean {
    const index = this.#commands.indexOf(command);
    if (index < 0) return false;
    this.#commands.splice(index, 1);
    this.#count(command, -1);
    return true;
  }

  /**
   * Moves a command to the head. Removes and returns the commands before it, except those for which
   * `isKept` returns true, which stay in the queue after it.
   */
  advance(index: number, isKept: (command: PendingCommand) => boolean): readonly PendingCommand[] {
    if (index === 0) return [];
    const passed = this.#commands.slice(0, index);
    const removed = passed.filter((command) => !isKept(command));
    const [head, ...following] = this.#commands.slice(index);
    this.#commands = [head!, ...passed.filter(isKept), ...following];
    for (const command of removed) this.#count(command, -1);
    return removed;
  }

  #count({ answers }: PendingCommand, change: number): void {
    const count = (this.#counts.get(answers) ?? 0) + change;
    if (count === 0) this.#counts.delete(answers);
    else this.#counts.set(answers, count);
  }
}

/** Placeholder for the answers to an undefined command, which are unknown. */
const anyAnswer = "*";

/** A command awaiting its answers. */
export interface PendingCommand {
  readonly command: string;
  readonly values: object | undefined;
  readonly answers: CommandAnswers;
  readonly count: number;
  readonly received: object[];
  /** The command's line, without backslashes. */
  line: string;
  /** The text received so far, if the answer is text. */
  readonly text: LaneText;
  failure: LaneError | undefined;
  resolve: (answers: readonly object[]) => void;
  reject: (error: unknown) => void;
  /**
   * Milliseconds from when the command is written until it times out; undefined if it never does.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Functions that cancel the timeout, stop watching the signal, and stop the timer that ends a
   * text.
   */
  stopTimer: () => void;
  stopWatching: () => void;
  stopSilence: () => void;
}

export function pendingCommand(
  command: string,
  values: object | undefined,
  answers: CommandAnswers,
  settle: Pick<PendingCommand, "resolve" | "reject" | "timeoutMs">,
): PendingCommand {
  return {
    command,
    values,
    answers,
    count: answerCount(answers, values),
    received: [],
    line: "",
    text: new LaneText(),
    failure: undefined,
    ...settle,
    stopTimer: nothing,
    stopWatching: nothing,
    stopSilence: nothing,
  };
}

/** Returns whether the answers to a command are unknown. */
export function isCustom({ answers }: CommandAnswers): boolean {
  return answers.includes(anyAnswer);
}

/** Returns whether the answer is text of any length. */
export function isText({ isText: is }: CommandAnswers): boolean {
  return is === true;
}

/** Returns the number of answers to expect. */
export function answerCount(answers: CommandAnswers, values: unknown): number {
  const { each, silentWith, silentWithout } = answers;
  if (answers.answers.length === 0) return 0;
  if (
    silentWith !== undefined &&
    Object.entries(silentWith).every(([name, value]) => getField(values, name) === value)
  )
    return 0;
  if (silentWithout !== undefined && isEmpty(getField(values, silentWithout))) return 0;
  if (answers.isText === true) return Infinity;
  const list = each === undefined ? undefined : getField(values, each);
  return Array.isArray(list) ? Math.max(1, list.length) : 1;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** A text answer that is still being received. */
class LaneText {
  /** Whether any text has been received, even if it was dropped. */
  hasBegun = false;
  /** Whether the last line is incomplete. */
  isLineOpen = false;
  #kept: StringBuilder | undefined = new StringBuilder();

  /** Adds a part. If this makes the text too long, drops it and returns false. */
  add(part: string, maxLength: number): boolean {
    this.hasBegun = true;
    this.isLineOpen = !part.endsWith("\n");
    if (this.#kept !== undefined && this.#kept.length + part.length > maxLength)
      this.#kept = undefined;
    this.#kept?.add(part);
    return this.#kept !== undefined;
  }

  toString(): string {
    return this.#kept?.toString() ?? "";
  }
}
