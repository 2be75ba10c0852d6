import type { CommandNotation } from "./command-notation.js";
import { FrameDecoder, type FrameDecoderOptions } from "./frame-decoder.js";
import { FrameEncoder } from "./frame-encoder.js";
import { LaneClient, type LaneClientOptions } from "./lane-client.js";
import { LaneServer, type LaneServerOptions } from "./lane-server.js";
import type { LaneTable } from "./lane-table.js";
import type { MessageFieldNames, Notation } from "./notation.js";

/** What connections need to know of a protocol without ids. */
export interface LaneProtocol {
  readonly lanes: LaneTable;
  readonly fields: { readonly command: MessageFieldNames; readonly message: MessageFieldNames };
  /** How the asking side spells its commands. */
  readonly commands: CommandNotation;
  /** How the answering side spells its messages. */
  readonly messages: Notation;
}

/** What decoders may be told. */
type DecoderSettings = Pick<
  FrameDecoderOptions,
  "onError" | "onNoise" | "limits" | "recovery" | "invalidUtf8"
>;

/** Where bytes go, and what is done with what is to be sent. */
interface WriterSettings {
  /** Writes bytes to the other side; called once for each message. */
  readonly write: (bytes: Uint8Array) => void;
  /** Called with each message before it is encoded; throw to refuse it. */
  readonly check?: (message: object) => void;
}

export type LaneClientSettings = Omit<LaneClientOptions, "write" | "nameOf"> &
  DecoderSettings &
  WriterSettings;

/** The asking side over bytes: `push` what arrives, `end` when it is over. */
export class LaneClientConnection {
  readonly #client: LaneClient;
  readonly #decoder: FrameDecoder;
  readonly #lanes: LaneTable;

  constructor({ lanes, fields, commands, messages }: LaneProtocol, settings: LaneClientSettings) {
    const { write, check, ...rest } = settings;
    const encoder = new FrameEncoder({
      framing: commands,
      ...(check === undefined ? {} : { check }),
    });
    const text = new TextDecoder("utf-8", { ignoreBOM: true });
    this.#lanes = lanes;
    this.#client = new LaneClient(lanes, fields, {
      ...rest,
      nameOf: (line) => commands.nameOf(line),
      write: (command) => {
        const line = encoder.encode(command);
        write(line);
        return text.decode(line).trimEnd();
      },
    });
    this.#decoder = new FrameDecoder({
      ...rest,
      framing: messages,
      onMessage: (message, frame) => this.#client.receive(message, () => text.decode(frame.body)),
    });
  }

  /** Number of commands that wait for an answer. */
  get waiting(): number {
    return this.#client.waiting;
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
    this.#decoder.push(chunk);
  }

  end(): void {
    this.#decoder.end();
    this.#client.close();
  }
}

export type LaneServerSettings = Omit<LaneServerOptions, "write"> &
  DecoderSettings &
  WriterSettings;

/** The answering side over bytes: `push` what arrives, `end` when it is over. */
export class LaneServerConnection {
  readonly #server: LaneServer;
  readonly #decoder: FrameDecoder;
  readonly #write: (message: object) => void;

  constructor({ lanes, fields, commands, messages }: LaneProtocol, settings: LaneServerSettings) {
    const { write, check, ...rest } = settings;
    const encoder = new FrameEncoder({
      framing: messages,
      ...(check === undefined ? {} : { check }),
    });
    this.#write = (message) => write(encoder.encode(message));
    this.#server = new LaneServer(lanes, fields, { ...rest, write: this.#write });
    const text = new TextDecoder("utf-8", { ignoreBOM: true });
    this.#decoder = new FrameDecoder({
      ...rest,
      framing: commands,
      onFrame: (frame) => this.#server.receive(commands.readLine(text.decode(frame.body))),
    });
  }

  /** Whether the program is stopped, so that commands that wait for that are carried out. */
  get isStopped(): boolean {
    return this.#server.isStopped;
  }

  /** Says that the program has stopped, then carries out what has waited for that. */
  stop(event: object): void {
    this.#server.stop(event);
  }

  /** Sends a message that answers nothing. */
  write(message: object): void {
    this.#write(message);
  }

  push(chunk: Uint8Array): void {
    this.#decoder.push(chunk);
  }

  end(): void {
    this.#decoder.end();
  }
}
