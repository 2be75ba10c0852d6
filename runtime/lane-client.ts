import {
  matchesPattern,
  textOf,
  type AnswerPattern,
  type CommandAnswers,
  type LaneTable,
} from "./lane-table.js";
import { LaneError } from "./lane-error.js";
import { getField, type MessageFieldNames } from "./notation.js";
import {
  answerCount,
  anyAnswer,
  isCustom,
  isText,
  type WaitingCommand,
} from "./waiting-command.js";

export interface LaneClientOptions {
  /** Writes a command, and gives its line without the end; called once for each. */
  readonly write: (command: object) => string;
  /** The command that a line seems to mean that the protocol does not define. */
  readonly nameOf?: (line: string) => string | undefined;
  /** Called with what comes without being asked for: stops of the program. */
  readonly onEvent?: (event: object) => void;
  /** Called with notes for people. */
  readonly onNote?: (note: object) => void;
  /**
   * Called with what answers nothing that is waiting.
   *
   * @param command The last command without an answer of that lane, which it may be about.
   */
  readonly onUnexpected?: (message: object, command: string | undefined) => void;
  /** Milliseconds after which a command is given up. Default: never. */
  readonly timeoutMs?: number;
  /** Milliseconds of silence after which a text that ends its line is whole. Default: 50. */
  readonly textSilenceMs?: number;
}

/**
 * The asking side of a protocol without ids: tells which command each message answers.
 *
 * Answers of a lane come in the order of its commands; those of different lanes overtake each other. A message
 * is taken by the command at the head of a lane that it fits; a command that is passed over is given up, so
 * that nothing waits for ever. A command that nothing answers is settled at once.
 */
export class LaneClient {
  readonly #table: LaneTable;
  readonly #fields: { readonly command: MessageFieldNames; readonly message: MessageFieldNames };
  readonly #options: LaneClientOptions;
  readonly #lanes: ReadonlyMap<string, WaitingCommand[]>;
  /** Commands that are sent once a text before them is whole. */
  readonly #held: ReadonlyMap<string, WaitingCommand[]>;
  /** Last command of each lane that was settled without an answer. */
  readonly #settled = new Map<string, string>();
  #silence: ReturnType<typeof setTimeout> | undefined;
  /** The message behind a breakdown says more about it. */
  #brokeDown = false;
  #closed = false;

  constructor(
    table: LaneTable,
    fields: { readonly command: MessageFieldNames; readonly message: MessageFieldNames },
    options: LaneClientOptions,
  ) {
    this.#table = table;
    this.#fields = fields;
    this.#options = options;
    this.#lanes = new Map(Object.keys(table.lanes).map((lane) => [lane, []]));
    this.#held = new Map(Object.keys(table.lanes).map((lane) => [lane, []]));
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
      if (this.#closed) {
        reject(
          new LaneError("ERR_CONNECTION_CLOSED", command, "Cannot send: the connection is closed"),
        );
        return;
      }
      const answers = this.#answersOf(command);
      const waiting: WaitingCommand = {
        command,
        values,
        answers,
        count: answerCount(answers, values),
        got: [],
        line: "",
        text: "",
        failure: undefined,
        resolve,
        reject,
      };
      const held = this.#held.get(answers.lane)!;
      // Two texts in a row could not be told apart.
      if (held.length > 0 || this.#lanes.get(answers.lane)!.some((each) => isText(each)))
        held.push(waiting);
      else this.#write(waiting);
    });
  }

  #write(waiting: WaitingCommand): void {
    const { command, values, answers, count, resolve, reject } = waiting;
    const { name, payload } = this.#fields.command;
    try {
      waiting.line = this.#options.write(
        values === undefined ? { [name]: command } : { [name]: command, [payload]: values },
      );
    } catch (error) {
      reject(error as Error);
      return;
    }
    if (count === 0) {
      this.#settled.set(answers.lane, command);
      resolve([]);
      return;
    }
    const { timeoutMs } = this.#options;
    if (timeoutMs !== undefined)
      waiting.timer = setTimeout(() => this.#giveUp(waiting, timeoutMs), timeoutMs);
    this.#lanes.get(answers.lane)!.push(waiting);
  }

  /** Sends what has waited for a text to end. */
  #release(lane: string): void {
    const held = this.#held.get(lane)!;
    while (held.length > 0 && !this.#lanes.get(lane)!.some((each) => isText(each)))
      this.#write(held.shift()!);
  }

  /**
   * Takes a message that arrived.
   *
   * @param spelled How it was spelled; an element that stands in a text is given back like that.
   */
  receive(message: object, spelled: () => string): void {
    const name = getField(message, this.#fields.message.name);
    const body = getField(message, this.#fields.message.payload);
    if (typeof name !== "string") return;
    const { stops, notes } = this.#table;
    if (notes.some((pattern) => matchesPattern(pattern, name, body))) {
      this.#options.onNote?.(message);
      return;
    }
    if (this.#takeText(name, body, spelled)) return;
    if (stops.includes(name)) this.#options.onEvent?.(message);
    else if (!this.#takeBreakdown(message, name, body)) this.#take(message, name, body);
  }

  /** Says that the connection is over: whatever waits is given up. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#silence);
    for (const lane of [...this.#lanes.values(), ...this.#held.values()]) {
      for (const waiting of lane.splice(0)) {
        const { command } = waiting;
        if (waiting.text !== "") this.#settle(waiting);
        else
          this.#fail(
            waiting,
            new LaneError(
              "ERR_CONNECTION_CLOSED",
              command,
              `Cannot get an answer to "${command}": the connection was closed`,
            ),
          );
      }
    }
  }

  /** A command that the protocol does not know is answered by what says so, if by anything. */
  #answersOf(command: string): CommandAnswers {
    const { commands, unknown } = this.#table;
    if (Object.hasOwn(commands, command)) return commands[command]!;
    const alike = this.#options.nameOf?.(command);
    const { lane, failures } =
      alike === undefined
        ? { lane: unknown?.lane ?? Object.keys(this.#table.lanes)[0]!, failures: [] }
        : commands[alike]!;
    return { lane, answers: [anyAnswer], failures };
  }

  #take(message: object, name: string, body: unknown): void {
    if (this.#takeUnknown(message, name, body)) return;
    let best:
      { lane: WaitingCommand[]; index: number; rank: number; failure?: AnswerPattern } | undefined;
    for (const lane of this.#lanes.values()) {
      for (const [index, { answers }] of lane.entries()) {
        const failure = answers.failures.find((each) => matchesPattern(each, name, body));
        const fits = failure !== undefined || answers.answers.includes(name);
        if (!fits) continue;
        // A failure whose words are known is surer than one that could be anybody's.
        const sure =
          failure === undefined || failure.begins !== undefined || failure.where !== undefined;
        const rank = (index === 0 ? 0 : 2) + (sure ? 0 : 1);
        if (best === undefined || rank < best.rank)
          best = { lane, index, rank, ...(failure === undefined ? {} : { failure }) };
        break;
      }
    }
    const settled = this.#settledWith(name, body);
    if (best === undefined && settled === undefined && this.#takeCustom(message)) return;
    if (best === undefined || (settled !== undefined && best.rank % 2 === 1)) {
      this.#options.onUnexpected?.(message, settled);
      return;
    }
    const { lane, index, failure } = best;
    const passed = lane.splice(0, index);
    for (const each of passed.filter((waiting) => !isCustom(waiting))) this.#pass(each);
    lane.splice(1, 0, ...passed.filter(isCustom));
    this.#answer(lane, message, failure === undefined ? undefined : textOf(failure, body).trim());
  }

  /** A command that the other side does not know waits in whatever lane it belongs to here. */
  #takeUnknown(message: object, name: string, body: unknown): boolean {
    const { unknown } = this.#table;
    if (unknown === undefined || !matchesPattern(unknown, name, body)) return false;
    const said = textOf(unknown, body).trim();
    const plain = (line: string): string => line.replaceAll("\\", "");
    for (const lane of this.#lanes.values()) {
      const index = lane.findIndex(({ line }) => plain(said).endsWith(`: ${plain(line)}`));
      const waiting = lane[index];
      if (waiting === undefined) continue;
      lane.splice(index, 1);
      this.#fail(waiting, new LaneError("ERR_COMMAND_FAILED", waiting.command, said, [message]));
      return true;
    }
    return false;
  }

  /** Nobody knows what answers a command that the protocol does not define: what answers nothing else does. */
  #takeCustom(message: object): boolean {
    for (const lane of this.#lanes.values()) {
      const index = lane.findIndex(isCustom);
      if (index < 0) continue;
      const [waiting] = lane.splice(index, 1);
      waiting!.got.push(message);
      this.#settle(waiting!);
      return true;
    }
    return false;
  }

  /** The command at the head of a lane gets an answer. */
  #answer(lane: WaitingCommand[], message: object, failure: string | undefined): void {
    const waiting = lane[0]!;
    waiting.got.push(message);
    if (failure !== undefined)
      waiting.failure ??= new LaneError(
        "ERR_COMMAND_FAILED",
        waiting.command,
        failure,
        waiting.got,
      );
    if (waiting.got.length < waiting.count && !isText(waiting)) return;
    lane.shift();
    this.#settle(waiting);
  }

  #settle(waiting: WaitingCommand): void {
    if (waiting.failure !== undefined) {
      this.#fail(waiting, waiting.failure);
      return;
    }
    const { answers, command, text } = waiting;
    if (isText(waiting)) {
      clearTimeout(this.#silence);
      this.#release(answers.lane);
    }
    if (text !== "") {
      const name = answers.answers[0]!;
      const body = { text };
      const message = { [this.#fields.message.name]: name, [this.#fields.message.payload]: body };
      waiting.got.push(message);
      if (answers.failures.some((each) => matchesPattern(each, name, body))) {
        this.#fail(waiting, new LaneError("ERR_COMMAND_FAILED", command, text.trim(), [message]));
        return;
      }
    }
    clearTimeout(waiting.timer);
    waiting.resolve(waiting.got);
  }

  #fail(waiting: WaitingCommand, error: LaneError): void {
    clearTimeout(waiting.timer);
    if (isText(waiting) && !this.#closed) this.#release(waiting.answers.lane);
    waiting.reject(error);
  }

  /** A command whose turn is over without an answer. */
  #pass(waiting: WaitingCommand): void {
    if (waiting.got.length > 0 || waiting.text !== "") this.#settle(waiting);
    else
      this.#fail(
        waiting,
        new LaneError(
          "ERR_ANSWER_MISSING",
          waiting.command,
          `Cannot find an answer to "${waiting.command}": a later command was answered`,
        ),
      );
  }

  #giveUp(waiting: WaitingCommand, timeoutMs: number): void {
    const lane = this.#lanes.get(waiting.answers.lane)!;
    lane.splice(lane.indexOf(waiting), 1);
    this.#fail(
      waiting,
      new LaneError(
        "ERR_ANSWER_LATE",
        waiting.command,
        `Cannot wait longer for an answer to "${waiting.command}": ${timeoutMs} ms are over`,
      ),
    );
  }

  /** A text of any length ends where something else begins, or where nothing comes for a while. */
  #takeText(name: string, body: unknown, spelled: () => string): boolean {
    for (const lane of this.#lanes.values()) {
      const head = lane[0];
      if (head === undefined || !isText(head)) continue;
      const isOwn = head.answers.answers.includes(name);
      // What stands in a line of text is text, whatever it looks like.
      const isOpen = head.text !== "" && !head.text.endsWith("\n");
      if (!isOpen && (!isOwn || this.#isOfOtherLane(head, name, body))) {
        if (head.text === "" || this.#isOfOtherLane(head, name, body)) continue;
        lane.shift();
        this.#settle(head);
        continue;
      }
      clearTimeout(this.#silence);
      head.text += spelled();
      if (head.text.endsWith("\n"))
        this.#silence = setTimeout(() => {
          if (lane[0] !== head) return;
          lane.shift();
          this.#settle(head);
        }, this.#options.textSilenceMs ?? 50);
      return true;
    }
    return false;
  }

  /** Whether a message answers a command at the head of another lane. */
  #isOfOtherLane(head: WaitingCommand, name: string, body: unknown): boolean {
    for (const [lane, [first]] of this.#lanes) {
      if (lane === head.answers.lane || first === undefined) continue;
      const { answers, failures } = first.answers;
      if (answers.includes(name) || failures.some((each) => matchesPattern(each, name, body)))
        return true;
    }
    return false;
  }

  #takeBreakdown(message: object, name: string, body: unknown): boolean {
    const { breakdown } = this.#table;
    if (breakdown === undefined) return false;
    if (this.#brokeDown && name === breakdown.name) {
      this.#brokeDown = false;
      this.#options.onNote?.(message);
      return true;
    }
    this.#brokeDown = matchesPattern(breakdown, name, body);
    if (!this.#brokeDown) return false;
    // While the program is stopped the waiting lane is at work; the other one is quick.
    const lanes = [...this.#lanes].sort(
      ([a], [b]) => Number(this.#table.lanes[b]!.waits) - Number(this.#table.lanes[a]!.waits),
    );
    const lane = lanes.find(([, waiting]) => waiting.length > 0)?.[1];
    if (lane === undefined) this.#options.onUnexpected?.(message, this.#settledWith(name, body));
    else {
      const waiting = lane.shift()!;
      waiting.failure = new LaneError(
        "ERR_COMMAND_FAILED",
        waiting.command,
        textOf(breakdown, body).trim(),
        [message],
      );
      this.#settle(waiting);
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
