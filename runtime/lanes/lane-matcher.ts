import {
  matchesPattern,
  type AnswerPattern,
  type CommandAnswers,
  type LaneTable,
} from "./lane-table.js";
import type { LaneQueue } from "./lane-queue.js";
import { anyAnswer, isCustom, type PendingCommand } from "./pending-command.js";

/** A command that a message fits. */
export interface Fit {
  readonly lane: LaneQueue;
  readonly index: number;
  readonly rank: number;
  /** Whether it surely fits. */
  readonly isSure: boolean;
  readonly failure: AnswerPattern | undefined;
}

/** Tells which of the commands that wait a message is about. */
export class LaneMatcher {
  readonly #table: LaneTable;
  readonly #lanes: ReadonlyMap<string, LaneQueue>;
  readonly #nameOf: (line: string) => string | undefined;
  /** What answers commands that the protocol does not define, by the command that they look like. */
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

  /** A command that the protocol does not know is answered by what says so, if by anything. */
  answersOf(command: string): CommandAnswers {
    const { commands } = this.#table;
    if (Object.hasOwn(commands, command)) return commands[command]!;
    const similar = this.#nameOf(command);
    const known = Object.hasOwn(commands, similar ?? "") ? similar : undefined;
    let answers = this.#customAnswers.get(known);
    if (answers === undefined) this.#customAnswers.set(known, (answers = this.#customLike(known)));
    return answers;
  }

  #customLike(known: string | undefined): CommandAnswers {
    const { commands, unknown, lanes } = this.#table;
    const { lane, failures } =
      known === undefined
        ? { lane: unknown?.lane ?? Object.keys(lanes)[0]!, failures: [] }
        : commands[known]!;
    return { lane, answers: [anyAnswer], failures };
  }

  /**
   * The command that a message fits best: the first one of a lane that it fits, one at the head before others, one
   * that it surely fits before one that it may fit.
   */
  findBest(name: string, body: unknown): Fit | undefined {
    let best: Fit | undefined;
    for (const lane of this.#lanes.values()) {
      const index = lane.indexOf(
        ({ answers, failures }) =>
          answers.includes(name) || failures.some((each) => matchesPattern(each, name, body)),
      );
      if (index < 0) continue;
      const { failures } = lane.at(index)!.answers;
      const failure = failures.find((each) => matchesPattern(each, name, body));
      // A failure whose words are known is surer than one that could be anybody's.
      const isSure =
        failure === undefined || failure.begins !== undefined || failure.where !== undefined;
      const rank = (index === 0 ? 0 : 2) + (isSure ? 0 : 1);
      if (best === undefined || rank < best.rank) best = { lane, index, rank, isSure, failure };
    }
    return best;
  }

  /** Takes out the command that the other side does not know, by what it said of it. */
  removeUnknown(text: string): PendingCommand | undefined {
    const unescaped = withoutBackslashes(text);
    return this.#remove((lane) =>
      lane.find((line) => unescaped.endsWith(line) && unescaped.endsWith(`: ${line}`)),
    );
  }

  /** Takes out a command of which nobody knows what answers it. */
  removeCustom(): PendingCommand | undefined {
    return this.#remove((lane) => lane.at(lane.indexOf(isCustom)));
  }

  #remove(find: (lane: LaneQueue) => PendingCommand | undefined): PendingCommand | undefined {
    for (const lane of this.#lanes.values()) {
      const pending = find(lane);
      if (pending !== undefined && lane.remove(pending)) return pending;
    }
    return undefined;
  }

  /** Whether a message answers a command at the head of another lane. */
  isOfOtherLane(head: PendingCommand, name: string, body: unknown): boolean {
    for (const [lane, { head: first }] of this.#lanes) {
      if (lane === head.answers.lane || first === undefined) continue;
      const { answers, failures } = first.answers;
      if (answers.includes(name) || failures.some((each) => matchesPattern(each, name, body)))
        return true;
    }
    return false;
  }
}

/** A line as the other side gives it back, which resolves what is escaped. */
export function withoutBackslashes(line: string): string {
  return line.replaceAll("\\", "");
}
