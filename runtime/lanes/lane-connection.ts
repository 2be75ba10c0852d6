import type { CloseOptions } from "../connection/connection-settings.js";
import type { CommandNotation } from "../spellings/command-notation.js";
import { FrameEncoder } from "../frames/frame-encoder.js";
import { defaultLimits } from "../frames/frame-errors.js";
import { callQuietly, isThenable, watchResult } from "./lane-callback.js";
import { LaneClient } from "./lane-client.js";
import { LaneServer, type LaneHandler } from "./lane-server.js";
import { LaneStream, type LaneStreamSettings } from "./lane-stream.js";
import type { LaneTable } from "./lane-table.js";
import { readTimeout } from "./lane-timeout.js";
import { readLimit, readMilliseconds } from "../base/waiting-limits.js";
import type { Notation } from "../frames/decoder-options.js";
import type { MessageFieldNames } from "../frames/spelling.js";

/** What connections need to know of a protocol without ids. */
export interface LaneProtocol {
  readonly lanes: LaneTable;
  readonly fields: { readonly command: MessageFieldNames; readonly message: MessageFieldNames };
  /** How the asking side spells its commands. */
  readonly commands: CommandNotation;
  /** How the answering side spells its messages. */
  readonly messages: Notation;
}

/** Commands that may wait, at most, unless told otherwise. */
const defaultMaxWaiting = 10_000;

export interface LaneClientSettings extends LaneStreamSettings {
  /** Called with what comes without being asked for: stops of the program. */
  readonly onEvent?: (event: object) => unknown;
  /** Called with notes for people. */
  readonly onNote?: (note: object) => unknown;
  /**
   * Called with what answers nothing that is waiting.
   *
   * @param command The last command without an answer of that lane, which it may be about.
   */
  readonly onUnexpected?: (message: object, command: string | undefined) => unknown;
  /** Milliseconds after which a command is given up. 0 and Infinity: never, which is the default. */
  readonly timeoutMs?: number;
  /** Milliseconds of silence after which a text that ends its line is whole. Default: 50. */
  readonly textSilenceMs?: number;
  /** Commands that may wait for an answer, at most; more are refused. Default: 10,000. */
  readonly maxWaiting?: number;
}

/** The asking side over bytes: `push` what arrives, `end` when it is over. */
export class LaneClientConnection {
  readonly #client: LaneClient;
  readonly #stream: LaneStream;
  readonly #lanes: LaneTable;

  /** @throws RangeError for times and numbers that are none. */
  constructor({ lanes, fields, commands, messages }: LaneProtocol, settings: LaneClientSettings) {
    const encoder = encoderOf(commands, settings);
    const text = new TextDecoder("utf-8", { ignoreBOM: true });
    // Place and length of the message that is dealt with.
    let place: readonly [offset: number, length: number] = [0, 0];
    const call = (result: unknown): void => {
      const [offset, length] = place;
      watchResult(result, (cause) => this.#stream.reportRejection(cause, offset, length));
    };
    this.#lanes = lanes;
    this.#client = new LaneClient(lanes, fields, {
      nameOf: (line) => commands.nameOf(line),
      encode: (command) => {
        const bytes = encoder.encode(command);
        return { bytes, line: text.decode(bytes).trimEnd() };
      },
      write: (bytes) => this.#stream.write(bytes),
      whenWritten: () => this.#stream.writing,
      onEvent: (event) => call(settings.onEvent?.(event)),
      onNote: (note) => call(settings.onNote?.(note)),
      onUnexpected: (message, command) => call(settings.onUnexpected?.(message, command)),
      timeoutMs: readTimeout("timeoutMs", settings.timeoutMs),
      textSilenceMs: readMilliseconds("textSilenceMs", settings.textSilenceMs ?? 50),
      maxTextLength: settings.limits?.maxBodyBytes ?? defaultLimits.maxBodyBytes,
      maxWaiting: readLimit("maxWaiting", settings.maxWaiting ?? defaultMaxWaiting),
    });
    this.#stream = new LaneStream(messages, settings, {
      onMessage: (message, frame) => {
        place = [frame.offset, frame.bodyLength];
        this.#client.receive(message, () => text.decode(frame.body));
      },
      onEnd: () => this.#stream.finish(),
      onClosing: (problem) => this.#client.close(problem),
    });
  }

  /** Number of commands that wait for an answer. */
  get waiting(): number {
    return this.#client.waiting;
  }

  get isClosed(): boolean {
    return this.#stream.isClosed;
  }

  /** Settles when the connection is over, whatever ended it. */
  get closed(): Promise<void> {
    return this.#stream.closed;
  }

  /**
   * Sends a command; what answers it, or a list of that where the command has one.
   *
   * @throws EncodeError or LaneError, as a rejection.
   */
  async send(command: string, values?: object): Promise<unknown> {
    const answers = await this.#client.send(command, values);
    const isList =
      Object.hasOwn(this.#lanes.commands, command) &&
      this.#lanes.commands[command]!.each !== undefined;
    return isList ? answers : answers[0];
  }

  /** Sends a command that the protocol does not define, as its whole line. */
  sendLine(line: string): Promise<unknown> {
    return this.send(line);
  }

  push(chunk: Uint8Array): void {
    this.#stream.push(chunk);
  }

  end(): void {
    this.#stream.end();
  }

  /**
   * Ends the connection: what waits is given up, and what was written goes out, within a bound.
   *
   * @throws RangeError, as a rejection, for a time that is none.
   */
  close(options?: CloseOptions): Promise<void> {
    return this.#stream.close(options);
  }
}

export interface LaneServerSettings extends LaneStreamSettings {
  /** What carries out each command; one without a handler is answered like one that nobody knows. */
  readonly handlers: { readonly [command: string]: LaneHandler | undefined };
  /** Called when a handler has failed in a lane that does not wait: the connection is about to be closed. */
  readonly onBreakdown?: (error: unknown) => unknown;
  /** Commands that may wait for their turn, at most; with more the connection ends. Default: 10,000. */
  readonly maxWaiting?: number;
}

/** The answering side over bytes: `push` what arrives, `end` when nothing more does, `close` to be done with it. */
export class LaneServerConnection {
  readonly #server: LaneServer;
  readonly #stream: LaneStream;

  /** @throws RangeError for a number that is none. */
  constructor({ lanes, fields, commands, messages }: LaneProtocol, settings: LaneServerSettings) {
    const encoder = encoderOf(messages, settings);
    const text = new TextDecoder("utf-8", { ignoreBOM: true });
    this.#server = new LaneServer(lanes, fields, {
      encode: (message) => encoder.encode(message),
      write: (bytes) => this.#stream.write(bytes),
      whenWritten: () => this.#stream.writing,
      handlers: settings.handlers,
      onProblem: (problem) => {
        const { onBreakdown } = settings;
        if (problem.code === "ERR_COMMAND_HANDLER" && onBreakdown !== undefined)
          callQuietly(() => onBreakdown(problem.cause));
        this.#stream.closeWith(problem);
      },
      maxWaiting: readLimit("maxWaiting", settings.maxWaiting ?? defaultMaxWaiting),
      maxWaitingBytes: settings.limits?.maxBodyBytes ?? defaultLimits.maxBodyBytes,
    });
    this.#stream = new LaneStream(commands, settings, {
      onFrame: ({ body }) =>
        this.#server.receive(commands.readLine(text.decode(body)), body.length),
      onEnd: () => undefined,
      onClosing: () => this.#server.close(),
    });
  }

  /** Whether the program is stopped, so that commands that wait for that are carried out. */
  get isStopped(): boolean {
    return this.#server.isStopped;
  }

  get isClosed(): boolean {
    return this.#stream.isClosed;
  }

  /** Settles when the connection is over, whatever ended it. */
  get closed(): Promise<void> {
    return this.#stream.closed;
  }

  /** Says that the program has stopped, then carries out what has waited for that. @throws EncodeError */
  stop(event: object): void {
    this.#server.stop(event);
  }

  /** Sends a message that answers nothing. @throws EncodeError */
  write(message: object): void {
    this.#server.write(message);
  }

  push(chunk: Uint8Array): void {
    this.#stream.push(chunk);
  }

  end(): void {
    this.#stream.end();
  }

  /**
   * Ends the connection: what waits is not carried out, and what was written goes out, within a bound.
   *
   * @throws RangeError, as a rejection, for a time that is none.
   */
  close(options?: CloseOptions): Promise<void> {
    return this.#stream.close(options);
  }
}

/** An encoder that lets the user refuse messages. */
function encoderOf(framing: Notation, { check }: LaneStreamSettings): FrameEncoder {
  if (check === undefined) return new FrameEncoder({ framing });
  return new FrameEncoder({
    framing,
    check: (message) => {
      const result: unknown = check(message);
      if (!isThenable(result)) return;
      watchResult(result, () => undefined);
      throw new TypeError("Cannot wait for a check: it must throw before it returns");
    },
  });
}
