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
    const { commands, unknown, lanes } = this.#table;
    if (Object.hasOwn(commands, command)) return commands[command]!;
    const similar = this.#nameOf(command) ?? "";
    const { lane, failures } = Object.hasOwn(commands, similar)
      ? commands[similar]!
      : { lane: unknown?.lane ?? Object.keys(lanes)[0]!, failures: [] };
    return { lane, answers: [anyAnswer], failures };
  }

  /**
   * Returns the pending command that best matches a message. Considers the first match in each
   * lane, and prefers the head of a lane, then certain matches.
   */
  findBest(name: string, body: unknown): Fit | undefined {
    let best: Fit | undefined;
    for (const lane of this.#lanes.values()) {
      // Commands in a row often expect the same answers, which are compared only once.
      let compared: CommandAnswers | undefined;
      const index = lane.findIndex(
        ({ answers }) => answers !== compared && isAnswer((compared = answers), name, body),
      );
      if (index < 0) continue;
      const { failures } = lane[index]!.answers;
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
      lane.find(({ line }) => unescaped.endsWith(line) && unescaped.endsWith(`: ${line}`)),
    );
  }

  /** Removes the first command that the protocol does not define. */
  removeCustom(): PendingCommand | undefined {
    return this.#remove((lane) => lane.find(({ answers }) => isCustom(answers)));
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
      if (pending !== undefined && removePending(lane, pending)) return pending;
    }
    return undefined;
  }

  /** Returns whether a message answers the command at the head of another lane. */
  isOfOtherLane(head: PendingCommand, name: string, body: unknown): boolean {
    return [...this.#lanes].some(
      ([lane, [first]]) =>
        lane !== head.answers.lane && first !== undefined && isAnswer(first.answers, name, body),
    );
  }
}

/** Returns whether a message may answer a command, with success or with a failure. */
function isAnswer({ answers, failures }: CommandAnswers, name: string, body: unknown): boolean {
  return answers.includes(name) || failures.some((each) => matchesPattern(each, name, body));
}

/** Removes backslashes the way the peer does when it echoes a line. */
export function withoutBackslashes(line: string): string {
  return line.replaceAll("\\", "");
}

/** A lane's pending commands, in order. */
export type LaneQueue = PendingCommand[];

/** Removes a command. Returns false if it is not pending. */
export function removePending(lane: LaneQueue, command: PendingCommand): boolean {
  const index = lane.indexOf(command);
  if (index >= 0) lane.splice(index, 1);
  return index >= 0;
}

/**
 * Moves a command to the head of a lane. Removes and returns the commands before it, except those
 * that the protocol does not define, which stay in the queue after it.
 */
export function advance(lane: LaneQueue, index: number): readonly PendingCommand[] {
  const passed = lane.splice(0, index);
  lane.splice(1, 0, ...passed.filter(({ answers }) => isCustom(answers)));
  return passed.filter(({ answers }) => !isCustom(answers));
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
