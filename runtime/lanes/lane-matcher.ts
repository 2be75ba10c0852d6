import {
  matchesPattern,
  type AnswerPattern,
  type CommandAnswers,
  type LaneTable,
} from "./lane-table.js";
import type { LaneQueue } from "./lane-queue.js";
import { anyAnswer, isCustom, type PendingCommand } from "./pending-command.js";

/** A pending command that a message may answer. */
export interface Fit {
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
   * Returns the pending command that best matches a message. Considers the first match in each
   * lane, and prefers the head of a lane, then certain matches.
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
      if (answers.includes(name) || failures.some((each) => matchesPattern(each, name, body)))
        return true;
    }
    return false;
  }
}

/** Removes backslashes the way the peer does when it echoes a line. */
export function withoutBackslashes(line: string): string {
  return line.replaceAll("\\", "");
}
