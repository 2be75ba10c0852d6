import { CommandNotation, type CommandTable } from "../../runtime/spellings/command-notation.js";
import { type LaneTable, matchesPattern, textOf } from "../../runtime/lanes/lane-table.js";
import {
  advance,
  isText,
  LaneMatcher,
  pendingCommand,
  withoutBackslashes,
  type LaneQueue,
  type PendingCommand,
} from "../../runtime/lanes/pending-commands.js";
import { laneTableOf } from "../../generator/model/lane-table.js";
import { tableOf } from "../../generator/model/notation-table.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { type JudgedMessage, type SentRequest, sentRequest } from "./judged-message.js";

interface RecordedCommand extends PendingCommand {
  readonly request: SentRequest;
}

/** The commands that an answer completes, and those that it reveals to be unanswered. */
export interface LaneAnswer {
  /** Whether no command is waiting for the answer. */
  readonly isUnmatched: boolean;
  /** Whether the pending commands are known because an earlier command in the lane was answered. */
  readonly isSure: boolean;
  /** The command that the answer belongs to. */
  readonly answered?: SentRequest;
  /** Commands that will never be answered, because a later command in their lane was answered. */
  readonly skipped: readonly SentRequest[];
}

const nothing: LaneAnswer = { isUnmatched: false, isSure: true, skipped: [] };

/**
 * Matches answers to the pending commands of a recorded session in a protocol without ids.
 *
 * Unlike `LaneClient`, which decides when to send each command, this class never holds a command
 * back, because recorded commands have already been sent.
 */
export class LaneExchanges {
  readonly #table: LaneTable;
  readonly #lanes: ReadonlyMap<string, LaneQueue>;
  readonly #matcher: LaneMatcher;
  readonly #notation: CommandNotation | undefined;
  /** Names of messages that may arrive at any time, even without a command. */
  readonly #free: ReadonlySet<string>;
  readonly #limit: number;
  /** Lanes in which at least one command was answered. */
  readonly #known = new Set<string>();

  /** @param limit Maximum number of commands to remember per lane. */
  constructor(protocol: Protocol, limit: number) {
    const { lanes, notations = {}, roles, envelope } = protocol;
    this.#limit = limit;
    this.#table = laneTableOf(protocol, lanes!);
    this.#lanes = new Map(Object.keys(lanes!.lanes).map((lane) => [lane, []]));
    const notation = notations[roles[0]];
    this.#notation =
      notation?.kind === "command-line"
        ? new CommandNotation(
            tableOf(protocol, roles[0], notation)[1] as CommandTable,
            envelope.request,
          )
        : undefined;
    this.#matcher = new LaneMatcher(this.#table, this.#lanes, (line) =>
      this.#notation?.nameOf(line),
    );
    const written = notations[roles[1]];
    const text = written?.kind === "xml-element" ? written.text?.name : undefined;
    const { notes, unknown, breakdown } = this.#table;
    this.#free = new Set(
      [...notes.map(({ name }) => name), unknown?.name, breakdown?.name, text].filter(
        (name) => name !== undefined,
      ),
    );
  }

  ask(message: JudgedMessage): void {
    const { name = "", fields, payloadField } = message;
    const values = fields[payloadField] as object | undefined;
    const answers = this.#matcher.answersOf(name);
    const pending = pendingCommand(name, values, answers, { resolve: ignore, reject: ignore });
    if (pending.count === 0) return;
    pending.line = this.#lineOf(fields);
    const lane = this.#lanes.get(answers.lane)!;
    if (lane.length >= this.#limit) lane.shift();
    const command: RecordedCommand = { ...pending, request: sentRequest(message) };
    lane.push(command);
  }

  /** Matches a message from the answering side to the pending commands. */
  receive({ name = "", fields, payloadField }: JudgedMessage): LaneAnswer {
    const { stops, notes, breakdown, unknown } = this.#table;
    const body = fields[payloadField];
    if (stops.includes(name) || notes.some((each) => matchesPattern(each, name, body)))
      return nothing;
    if (unknown !== undefined && matchesPattern(unknown, name, body)) {
      this.#matcher.removeUnknown(textOf(unknown, body).trim());
      return nothing;
    }
    if (breakdown !== undefined && matchesPattern(breakdown, name, body)) {
      this.#matcher.removeBrokenDown();
      return nothing;
    }
    const best = this.#matcher.findBest(name, body);
    if (best !== undefined) return this.#answer(best.lane, best.index, fields);
    if (this.#free.has(name) || this.#matcher.removeCustom() !== undefined) return nothing;
    return { isUnmatched: true, isSure: this.#isKnown(name), skipped: [] };
  }

  #answer(lane: LaneQueue, index: number, answer: object): LaneAnswer {
    const skipped = advance(lane, index).filter(
      ({ received, answers }) => received.length === 0 && !isText(answers),
    );
    const head = lane[0]!;
    this.#known.add(head.answers.lane);
    head.received.push(answer);
    if (head.received.length >= head.count) lane.shift();
    const requestOf = (each: PendingCommand): SentRequest => (each as RecordedCommand).request;
    return { ...nothing, answered: requestOf(head), skipped: skipped.map(requestOf) };
  }

  /** Returns whether a command was answered in every lane in which this answer may occur. */
  #isKnown(name: string): boolean {
    return Object.values(this.#table.commands).every(
      ({ answers, lane }) => !answers.includes(name) || this.#known.has(lane),
    );
  }

  #lineOf(fields: object): string {
    try {
      return withoutBackslashes(this.#notation?.write(fields) ?? "");
    } catch {
      // The line is unknown, because a recorded command may contain values that cannot be written
      // as a command line.
      return "";
    }
  }
}

function ignore(): void {}
