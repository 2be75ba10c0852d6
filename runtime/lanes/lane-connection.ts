import * as option from "../base/check-options.js";
import { textOfThrown } from "../base/errors.js";
import { asPromise, callSafely, markHandled, setAsyncDispose } from "../base/promises.js";
import { limitOf, startTimer } from "../base/waiting-limits.js";
import type { TextDecoderClass } from "../base/web-standards.js";
import {
  defaultGraceMs,
  graceOf,
  waitChecks,
  type CloseOptions,
  type WaitOptions,
} from "../connection/options.js";
import {
  findIssues,
  invalidMessage,
  messageCheckOption,
  optionsOf,
  type AnyValidator,
  type InvalidMessageProblem,
  type MessageCheck,
} from "../connection/message-checks.js";
import type { FrameDecoderOptions, Notation } from "../frames/decoder-options.js";
import { FrameDecoder } from "../frames/frame-decoder.js";
import { FrameEncoder } from "../frames/frame-encoder.js";
import { defaultLimits, limitChecks, type FrameFault } from "../frames/frame-faults.js";
import type { Frame } from "../frames/frame.js";
import type { MessageFieldNames } from "../frames/spelling.js";
import type { CommandNotation } from "../spellings/command-notation.js";
import { LaneClient, type LaneCheck } from "./lane-client.js";
import type { LaneProblem } from "./lane-error.js";
import { LaneServer, type LaneHandler } from "./lane-server.js";
import type { LaneTable } from "./lane-table.js";

declare const TextDecoder: TextDecoderClass;

/** The parts of a protocol without ids that a connection depends on. */
export interface LaneProtocol {
  readonly lanes: LaneTable;
  readonly fields: { readonly command: MessageFieldNames; readonly message: MessageFieldNames };
  /** Notation of the commands that the client sends. */
  readonly commands: CommandNotation;
  /** Notation of the messages that the server sends. */
  readonly messages: Notation;
  /** Validates a command or a message. */
  readonly validate: AnyValidator;
}

/** Default for the `maxWaiting` option. */
const defaultMaxWaiting = 10_000;

/** Options passed on to the decoder. */
type DecoderOptions = Pick<
  FrameDecoderOptions,
  "onFault" | "onNoise" | "limits" | "recovery" | "invalidUtf8"
>;

/** Options for a stream: functions for writing and closing it, and the decoder's options. */
export interface LaneStreamOptions extends DecoderOptions {
  /**
   * Writes bytes to the peer. Called once per message. If this returns a promise, nothing else is
   * written until the promise settles. If it throws, the connection ends.
   */
  readonly write: (bytes: Uint8Array) => unknown;
  /**
   * How to check incoming messages that the protocol defines. A wrong message about a stop goes to
   * `onProblem`, and a wrong answer rejects its command. A wrong command gets the answer to an
   * unknown one, and goes to `onProblem`. Default: `wire`.
   */
  readonly checkIncoming?: MessageCheck;
  /** Called with each invalid message that is not the answer to a command. */
  readonly onProblem?: (problem: InvalidMessageProblem) => unknown;
  /** Called with each message before it is encoded. Throw to reject the message. */
  readonly validate?: (message: object) => void;
  /** Ends the transport after pending writes. May return a promise. Called by `close`. */
  readonly close?: () => unknown;
  /** Ends the transport immediately. Called once, when the connection has ended. */
  readonly destroy?: () => unknown;
  /** Called once when the connection has ended, with the problem, if any. */
  readonly onClose?: (problem?: LaneProblem) => unknown;
}

const laneStreamChecks: option.OptionChecks<LaneStreamOptions> = {
  write: option.callback,
  checkIncoming: messageCheckOption,
  onProblem: option.callback,
  validate: option.callback,
  close: option.callback,
  destroy: option.callback,
  onClose: option.callback,
  onFault: option.callback,
  onNoise: option.callback,
  limits: limitChecks,
  recovery: /* @__PURE__ */ option.oneOf("tolerant", "strict"),
  invalidUtf8: /* @__PURE__ */ option.oneOf("replace", "error"),
};

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
  constructor(protocol: LaneProtocol, options: LaneClientOptions) {
    const { lanes, fields, commands, messages } = protocol;
    option.checkOptions("createClient", options, clientChecks);
    const encoder = encoderOf(commands, options);
    const text = new TextDecoder("utf-8", { ignoreBOM: true });
    // Offset and length of the message being processed.
    let range: readonly [offset: number, length: number] = [0, 0];
    // A callback that throws or rejects indicates a problem in this program, not in the bytes
    // received.
    const call = (callback: () => unknown): void => {
      const [offset, length] = range;
      callSafely(callback, (cause) => this.#stream.reportFailure(cause, offset, length));
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
      refuse: checkOf(protocol, options),
      onProblem: (problem) => reportProblem(options, problem),
      onEvent: (event) => call(() => options.onEvent?.(event)),
      onNote: (note) => call(() => options.onNote?.(note)),
      onUnexpected: (message, command) => call(() => options.onUnexpected?.(message, command)),
      timeoutMs: limitOf(options.timeoutMs),
      textSilenceMs: options.textSilenceMs ?? 50,
      maxTextLength: options.limits?.maxBodyBytes ?? defaultLimits.maxBodyBytes,
      maxWaiting: options.maxWaiting ?? defaultMaxWaiting,
    });
    this.#stream = new LaneStream(messages, options, {
      onMessage: (message, frame) => {
        range = [frame.offset, frame.bodyLength];
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
  constructor(protocol: LaneProtocol, options: LaneServerOptions) {
    const { lanes, fields, commands, messages } = protocol;
    option.checkOptions("createServer", options, serverChecks);
    const encoder = encoderOf(messages, options);
    const text = new TextDecoder("utf-8", { ignoreBOM: true });
    this.#server = new LaneServer(lanes, fields, {
      encode: (message) => encoder.encode(message),
      write: (bytes) => this.#stream.write(bytes),
      whenWritten: () => this.#stream.writing,
      handlers: options.handlers,
      refuse: checkOf(protocol, options),
      onInvalid: (problem) => reportProblem(options, problem),
      onProblem: (problem) => {
        const { onBreakdown } = options;
        if (problem.code === "ERR_COMMAND_HANDLER" && onBreakdown !== undefined)
          callSafely(() => onBreakdown(problem.cause));
        this.#stream.closeWith(problem);
      },
      maxWaiting: options.maxWaiting ?? defaultMaxWaiting,
      maxWaitingBytes: options.limits?.maxBodyBytes ?? defaultLimits.maxBodyBytes,
    });
    this.#stream = new LaneStream(commands, options, {
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

/** Creates the check of the messages that a connection receives. */
function checkOf({ validate }: LaneProtocol, options: LaneStreamOptions): LaneCheck {
  const { checkIncoming: mode = "wire" } = options;
  const checks = optionsOf(mode);
  return (kind, name, message) => {
    const issues = mode === "off" ? undefined : findIssues(validate, message, checks);
    if (issues === undefined) return undefined;
    const problem = invalidMessage(kind, name, message, issues);
    if (mode !== "report") return problem;
    reportProblem(options, problem);
    return undefined;
  };
}

function reportProblem({ onProblem }: LaneStreamOptions, problem: InvalidMessageProblem): void {
  if (onProblem !== undefined) callSafely(() => onProblem(problem));
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

/** Functions that process a connection's stream. */
interface LaneStreamHandlers {
  readonly onMessage?: (message: object, frame: Frame) => void;
  readonly onFrame?: (frame: Frame) => void;
  /** Called once when the peer has ended the stream. */
  readonly onEnd: () => void;
  /** Called once when reading and writing stop, with the problem, if any. */
  readonly onClosing: (problem: LaneProblem | undefined) => void;
}

/** Reads and writes a connection's bytes, and ends the connection. */
class LaneStream {
  readonly #options: LaneStreamOptions;
  readonly #handlers: LaneStreamHandlers;
  readonly #decoder: FrameDecoder;
  #isReading = false;
  #hasEnded = false;
  /** The latest fault. In strict recovery, this is the one that stopped the decoder. */
  #fault: FrameFault | undefined;
  readonly #unwritten: Uint8Array[] = [];
  /** Number of items in `#unwritten` that have been written. */
  #written = 0;
  #isWriting = false;
  /** Resolves to true once all bytes are written, or to false if they can no longer be written. */
  #writing: Promise<boolean> | undefined;
  #settleWriting: (isWritten: boolean) => void = ignore;
  #problem: LaneProblem | undefined;
  #isClosing = false;
  #isClosed = false;
  #settleClosed: () => void = ignore;
  /** Settles when the connection has ended. */
  readonly closed: Promise<void>;

  constructor(framing: Notation, options: LaneStreamOptions, handlers: LaneStreamHandlers) {
    const { limits, recovery, invalidUtf8, onNoise } = options;
    const { onMessage, onFrame } = handlers;
    this.#options = options;
    this.#handlers = handlers;
    this.closed = new Promise((resolve) => (this.#settleClosed = resolve));
    this.#decoder = new FrameDecoder({
      framing,
      limits,
      recovery,
      invalidUtf8,
      onNoise: onNoise && ((bytes, offset) => callSafely(() => onNoise(bytes, offset))),
      onMessage:
        onMessage && ((message, frame) => void (this.#isClosing || onMessage(message, frame))),
      onFrame: onFrame && ((frame) => void (this.#isClosing || onFrame(frame))),
      onFault: (error) => this.#receiveFault(error),
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Reads the next bytes. Chunks that a callback pushes are read afterwards. */
  push(chunk: Uint8Array): void {
    if (!this.#isClosing && !this.#hasEnded) this.#read(() => this.#decoder.push(chunk));
  }

  /** Ends the incoming byte stream. */
  end(): void {
    if (this.#isClosed || this.#hasEnded) return;
    this.#hasEnded = true;
    this.#read(() => this.#decoder.end());
  }

  #read(act: () => void): void {
    const isNested = this.#isReading;
    this.#isReading = true;
    try {
      act();
    } finally {
      this.#isReading = isNested;
      if (!isNested && this.#decoder.failed) this.#failRead();
      else if (!isNested && this.#hasEnded) this.#handlers.onEnd();
    }
  }

  #failRead(): void {
    const { code, message } = this.#fault!;
    this.fail({ code, message, cause: this.#fault });
  }

  #receiveFault(error: FrameFault): void {
    const { onFault } = this.#options;
    if (error.code !== "ERR_HANDLER") this.#fault = error;
    else if (onFault === undefined) throw error.cause;
    if (onFault !== undefined) callSafely(() => onFault(error));
  }

  /** Reports that a callback for the message at an offset has thrown or rejected. */
  reportFailure(cause: unknown, offset: number, length: number): void {
    const { onFault } = this.#options;
    const message = "A message handler failed";
    const sample = "";
    callSafely(() =>
      onFault?.({ code: "ERR_HANDLER", message, offset, length, sample, recovered: true, cause }),
    );
  }

  /**
   * Resolves to true once all bytes are written, or to false if they can no longer be written.
   * Undefined if no bytes are waiting.
   */
  get writing(): Promise<boolean> | undefined {
    return this.#writing;
  }

  /**
   * Writes a message after those already being written. Does nothing while the connection is
   * closing.
   */
  write(bytes: Uint8Array): void {
    if (this.#isClosing) return;
    this.#unwritten.push(bytes);
    if (!this.#isWriting) this.#writeAll();
  }

  #writeAll(): void {
    this.#isWriting = true;
    try {
      while (this.#written < this.#unwritten.length) {
        const result = this.#options.write(this.#unwritten[this.#written++]!);
        const promise = asPromise(result);
        if (promise === undefined) continue;
        this.#writing ??= new Promise((resolve) => (this.#settleWriting = resolve));
        promise.then(
          () => this.#writeAll(),
          (cause: unknown) => this.#failWrite(cause),
        );
        return;
      }
    } catch (cause) {
      this.#failWrite(cause);
    }
    this.#stopWriting(!this.#isClosed);
  }

  #stopWriting(isWritten: boolean): void {
    this.#unwritten.length = 0;
    this.#written = 0;
    this.#isWriting = false;
    this.#writing = undefined;
    this.#settleWriting(isWritten);
  }

  #failWrite(cause: unknown): void {
    const message = `Cannot write: ${textOfThrown(cause)}`;
    this.fail({ code: "ERR_TRANSPORT", message, cause });
  }

  /**
   * Closes the connection after writing all pending bytes, subject to a timeout.
   *
   * @throws Rejects with TypeError for unknown options and invalid values.
   */
  async close(options?: CloseOptions): Promise<void> {
    this.#closeWithin(graceOf(options));
    await this.closed;
  }

  /** Closes the connection because of a problem, after writing all pending bytes. */
  closeWith(problem: LaneProblem): void {
    this.#problem ??= problem;
    this.#closeWithin(defaultGraceMs);
  }

  #closeWithin(milliseconds: number): void {
    const isFirst = !this.#isClosing;
    this.#stopReading();
    if (milliseconds === 0) this.finish();
    if (this.#isClosed) return;
    const stop = startTimer(milliseconds, () => this.finish());
    void this.closed.then(stop);
    if (isFirst) void this.#drain();
  }

  async #drain(): Promise<void> {
    try {
      await this.#writing;
      if (!this.#isClosed) await this.#options.close?.();
    } catch (cause) {
      this.#failWrite(cause);
    }
    this.finish();
  }

  /** Ends the connection immediately because of a problem. */
  fail(problem: LaneProblem): void {
    this.#problem ??= problem;
    this.finish();
  }

  #stopReading(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#handlers.onClosing(this.#problem);
  }

  /** Ends the connection immediately. */
  finish(): void {
    this.#stopReading();
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopWriting(false);
    const problem = this.#problem;
    const { destroy, onClose } = this.#options;
    if (destroy !== undefined) callSafely(destroy);
    if (onClose !== undefined) callSafely(() => onClose(problem));
    this.#settleClosed();
  }
}

function ignore(): void {}
