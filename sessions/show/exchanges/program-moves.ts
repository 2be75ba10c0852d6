import type { Protocol } from "../../../generator/model/protocol.js";
import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import type { StateTable } from "../../judge/table/rule-table.js";
import { type MessageKind, payloadFieldOf } from "../../read/message-reader.js";
import type { TrackedMessage } from "./message-tracker.js";

/** The moment at which the program, or one of its threads, stops or resumes. */
export interface ProgramMove {
  readonly isStop: boolean;
  /** The affected thread. Undefined if all threads are affected. */
  readonly thread: number | string | undefined;
  /**
   * Number of the message that caused the change. If that message is a response, this is the number
   * of its request.
   */
  readonly since: number;
}

/** Maximum number of single-thread resume requests to remember. */
const maxRequests = 1_000;

/** The parts of a protocol's session rules that deal with stopping and resuming. */
export interface MoveTable {
  /**
   * For each property that can indicate that only one thread resumes, the values that indicate
   * this.
   */
  readonly partial?: Readonly<Record<string, { readonly is?: readonly unknown[] }>>;
  readonly state?: StateTable;
}

/** Detects the messages that stop and resume a program. */
export class ProgramMoves {
  readonly #stops: ReadonlySet<string>;
  readonly #resumes: ReadonlySet<string>;
  readonly #table: MoveTable;
  readonly #envelope: Protocol["envelope"];
  /**
   * The thread ids of pending requests that resume only one thread, by session and request number.
   */
  readonly #resumedThreads = new LatestEntries<string, number | string>(maxRequests);

  constructor({ conversation, envelope }: Protocol, table: MoveTable) {
    this.#stops = new Set(conversation?.stops);
    this.#resumes = new Set(conversation?.resumes);
    this.#table = table;
    this.#envelope = envelope;
  }

  /**
   * Reads a message and returns the change to the program that it causes, if any.
   *
   * @param value The message itself.
   */
  read(
    message: Omit<TrackedMessage, "label" | "from">,
    session: number,
    value: object,
  ): ProgramMove | undefined {
    const { kind, name = "", index, hasFailed, answers = 0 } = message;
    if (kind === "event" && this.#stops.has(name))
      return this.#stop(index, this.#payload(value, "event"));
    if (!this.#resumes.has(name) || kind === "none") return undefined;
    const key = `${session} ${kind === "response" ? answers : index}`;
    const thread = this.#partOf(this.#payload(value, kind));
    if (kind === "request") {
      if (thread !== undefined) this.#resumedThreads.set(key, thread);
      return undefined;
    }
    if (hasFailed) return undefined;
    return {
      isStop: false,
      thread: thread ?? (kind === "response" ? this.#resumedThreads.get(key) : undefined),
      since: kind === "response" && answers > 0 ? answers : index,
    };
  }

  #stop(since: number, payload: unknown): ProgramMove {
    const { thread = "", all = "" } = this.#table.state ?? {};
    const isAll = propertyOf(payload, all) === true;
    return { isStop: true, thread: isAll ? undefined : idOf(propertyOf(payload, thread)), since };
  }

  /** Returns the thread that a message resumes if it resumes only one thread. */
  #partOf(payload: unknown): number | string | undefined {
    const { partial = {}, state } = this.#table;
    const isPart = Object.entries(partial).some(([name, { is = [] }]) =>
      is.includes(propertyOf(payload, name)),
    );
    return isPart ? idOf(propertyOf(payload, state?.thread ?? "")) : undefined;
  }

  #payload(value: object, kind: MessageKind): unknown {
    return propertyOf(value, payloadFieldOf(this.#envelope, kind));
  }
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function idOf(value: unknown): number | string | undefined {
  if (typeof value === "string") return value.slice(0, 200);
  return typeof value === "number" ? value : undefined;
}
