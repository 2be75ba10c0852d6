import { waitChecks, type CloseOptions, type WaitOptions } from "../connection/options.js";
import type { CommandNotation } from "../spellings/command-notation.js";
import { FrameEncoder } from "../frames/frame-encoder.js";
import { defaultLimits } from "../frames/frame-faults.js";
import { setAsyncDispose } from "../base/async-dispose.js";
import { asPromise, callQuietly, markHandled, onRejection } from "../base/promises.js";
import { LaneClient } from "./lane-client.js";
import { LaneServer, type LaneHandler } from "./lane-server.js";
import { laneStreamChecks, LaneStream, type LaneStreamOptions } from "./lane-stream.js";
import type { LaneTable } from "./lane-table.js";
import * as option from "../base/check-options.js";
import { limitOf } from "../base/waiting-limits.js";
import type { Notation } from "../frames/decoder-options.js";
import type { MessageFieldNames } from "../frames/spelling.js";
import type { TextDecoderClass } from "../base/web-standards.js";

declare const TextDecoder: TextDecoderClass;

/** The parts of a protocol without ids that a connection depends on. */
export interface LaneProtocol {
  readonly lanes: LaneTable;
  readonly fields: { readonly command: MessageFieldNames; readonly message: MessageFieldNames };
  /** Notation of the commands that the client sends. */
  readonly commands: CommandNotation;
  /** Notation of the messages that the server sends. */
  readonly messages: Notation;
}

/** Default for the `maxWaiting` option. */
const defaultMaxWaiting = 10_000;

/** Options for the client side. */
export interface LaneClientOptions extends LaneStreamOptions {
  /** Called with each unsolicited message, for example when the program stops. */
  readonly onEvent?: (event: object) => unknown;
  /** Called with each note for the user. */
  readonly onNote?: (note: object) => unknown;
  /**
   * Called with a message that answers no pending command.
   *
   * @param command The command that the message may belong to: one that timed out or was aborted,
   * or the last one that was settled without an answer.
   */
  readonly onUnexpected?: (message: object, command: string | undefined) => unknown;
  /**
   * Milliseconds until a command times out. 0 and Infinity disable the timeout. Default: no
   * timeout.
   */
  readonly timeoutMs?: number;
  /**
   * Milliseconds without input after which text that ends with a line break is considered complete.
   * Default: 50.
   */
  readonly textSilenceMs?: number;
  /**
   * Maximum number of commands awaiting an answer. Further commands are rejected. Default: 10,000.
   */
  readonly maxWaiting?: number;
}

const clientChecks: option.OptionChecks<LaneClientOptions & { readonly spelling: unknown }> =
  /* @__PURE__ */ Object.assign({}, laneStreamChecks, {
    onEvent: option.callback,
    onNote: option.callback,
    onUnexpected: option.callback,
    timeoutMs: option.milliseconds,
    textSilenceMs: option.milliseconds,
    maxWaiting: option.limit,
    spelling: option.text,
  });

/**
 * The client side of a connection. Call `push` with incoming bytes, and `end` when there are no
 * more.
 */
export class LaneClientConnection {
  readonly #client: LaneClient;
  readonly #stream: LaneStream;
  readonly #lanes: LaneTable;

  /** @throws TypeError for unknown options and invalid values. */
  constructor({ lanes, fields, commands, messages }: LaneProtocol, settings: LaneClientOptions) {
    option.checkOptions("createClient", settings, clientChecks);
    const encoder = encoderOf(commands, settings);
    const text = new TextDecoder("utf-8", { ignoreBOM: true });
    // Offset and length of the message being processed.
    let place: readonly [offset: number, length: number] = [0, 0];
    // A callback that throws or rejects indicates a problem in this program, not in the bytes
    // received.
    const call = (callback: () => unknown): void => {
      const [offset, length] = place;
      const failed = (cause: unknown): void => this.#stream.reportFailure(cause, offset, length);
      try {
        onRejection(callback(), failed);
      } catch (cause) {
        failed(cause);
      }
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
      onEvent: (event) => call(() => settings.onEvent?.(event)),
      onNote: (note) => call(() => settings.onNote?.(note)),
      onUnexpected: (message, command) => call(() => settings.onUnexpected?.(message, command)),
      timeoutMs: limitOf(settings.timeoutMs),
      textSilenceMs: settings.textSilenceMs ?? 50,
      maxTextLength: settings.limits?.maxBodyBytes ?? defaultLimits.maxBodyBytes,
      maxWaiting: settings.maxWaiting ?? defaultMaxWaiting,
    });
    this.#stream = new LaneStream(messages, settings, {
      onMessage: (message, frame) => {
        place = [frame.offset, frame.bodyLength];
        this.#client.receive(message, () => text.decode(frame.body));
      },
      onEnd: () => this.#stream.finish(),
      onClosing: (problem) => this.#client.close(problem),
    });
    setAsyncDispose(this, () => this.close());
  }

  /** Number of commands awaiting an answer. */
  get waiting(): number {
    return this.#client.waiting;
  }

  get isClosed(): boolean {
    return this.#stream.isClosed;
  }

  /** Settles when the connection has ended. */
  get closed(): Promise<void> {
    return this.#stream.closed;
  }

  /**
   * Sends a command. Resolves to its answer, or to an array of answers if the command takes an
   * array.
   *
   * @throws Rejects with EncodeError, LaneError, TimeoutError, ConnectionClosedError, or the
   * signal's abort reason; or with TypeError for unknown options and invalid values.
   */
  async send(command: string, values?: object, options?: WaitOptions): Promise<unknown> {
    option.checkOptions("send", options, waitChecks);
    const answers = await this.#client.send(command, values, options);
    const isList =
      Object.hasOwn(this.#lanes.commands, command) &&
      this.#lanes.commands[command]!.each !== undefined;
    return isList ? answers : answers[0];
  }

  /** Sends a command that the protocol does not define, as a complete line. */
  sendLine(line: string, options?: WaitOptions): Promise<unknown> {
    return this.send(line, undefined, options);
  }

  push(chunk: Uint8Array): void {
    this.#stream.push(chunk);
  }

  end(): void {
    this.#stream.end();
  }

  /**
   * Closes the connection: rejects pending commands and writes all pending bytes, subject to a
   * timeout.
   *
   * @throws Rejects with TypeError for unknown options and invalid values.
   */
  close(options?: CloseOptions): Promise<void> {
    return this.#stream.close(options);
  }
}

/** Options for the server side. */
export interface LaneServerOptions extends LaneStreamOptions {
  /** Handlers, by command. Commands without a handler get the answer for unknown commands. */
  readonly handlers: { readonly [command: string]: LaneHandler | undefined };
  /**
   * Called when a handler has failed in a lane that does not wait for stops. The connection then
   * closes.
   */
  readonly onBreakdown?: (error: unknown) => unknown;
  /** Maximum number of queued commands. If it is exceeded, the connection ends. Default: 10,000. */
  readonly maxWaiting?: number;
}

const serverChecks: option.OptionChecks<LaneServerOptions & { readonly spelling: unknown }> =
  /* @__PURE__ */ Object.assign({}, laneStreamChecks, {
    handlers: /* @__PURE__ */ option.recordOf(option.callback),
    onBreakdown: option.callback,
    maxWaiting: option.limit,
    spelling: option.text,
  });

/**
 * The server side of a connection. Call `push` with incoming bytes, `end` when there are no more,
 * and `close` to end the connection.
 */
export class LaneServerConnection {
  readonly #server: LaneServer;
  readonly #stream: LaneStream;

  /** @throws TypeError for unknown options and invalid values. */
  constructor({ lanes, fields, commands, messages }: LaneProtocol, settings: LaneServerOptions) {
    option.checkOptions("createServer", settings, serverChecks);
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
      maxWaiting: settings.maxWaiting ?? defaultMaxWaiting,
      maxWaitingBytes: settings.limits?.maxBodyBytes ?? defaultLimits.maxBodyBytes,
    });
    this.#stream = new LaneStream(commands, settings, {
      onFrame: ({ body }) =>
        this.#server.receive(commands.readLine(text.decode(body)), body.length),
      onEnd: () => undefined,
      onClosing: () => this.#server.close(),
    });
    setAsyncDispose(this, () => this.close());
  }

  /** Whether the program is stopped. Commands that wait for a stop run only while it is. */
  get isStopped(): boolean {
    return this.#server.isStopped;
  }

  get isClosed(): boolean {
    return this.#stream.isClosed;
  }

  /** Settles when the connection has ended. */
  get closed(): Promise<void> {
    return this.#stream.closed;
  }

  /**
   * Reports that the program has stopped, and runs the commands that were waiting for it to stop.
   *
   * @throws EncodeError if the event cannot be written.
   */
  stop(event: object): void {
    this.#server.stop(event);
  }

  /**
   * Sends an unsolicited message.
   *
   * @throws EncodeError if the message cannot be written.
   */
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
   * Closes the connection: discards waiting commands and writes all pending bytes, subject to a
   * timeout.
   *
   * @throws Rejects with TypeError for unknown options and invalid values.
   */
  close(options?: CloseOptions): Promise<void> {
    return this.#stream.close(options);
  }
}

/** Creates an encoder that calls the user's `validate`. */
function encoderOf(framing: Notation, { validate }: LaneStreamOptions): FrameEncoder {
  if (validate === undefined) return new FrameEncoder({ framing });
  return new FrameEncoder({
    framing,
    validate: (message) => {
      const promise = asPromise(validate(message));
      if (promise === undefined) return;
      void markHandled(promise);
      throw new TypeError("Cannot use an asynchronous check: it must throw before it returns");
    },
  });
}
