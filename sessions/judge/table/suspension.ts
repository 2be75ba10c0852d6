import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { requestsOf } from "../../../generator/model/queries.js";
import type { JudgedMessage } from "../judged-message.js";

/** Tracks whether the program is running and which ids became invalid when it resumed. */
export class Suspension {
  readonly #resumes: ReadonlySet<string>;
  readonly #stops: ReadonlySet<string>;
  /** Positions of the requests that resume only part of the program. */
  readonly #partial: LatestEntries<number, true>;
  #stoppedAt = 0;
  #ranAt = 0;
  /** Ids introduced before this position are invalid. */
  #voidBefore = 0;
  /** Position of the latest message that resumed or stopped at least part of the program. */
  #movedAt = 0;
  /**
   * Position of the event that resumed the program. The other side may receive it late, but it
   * always receives it before the next stop.
   */
  #resumedAt: number | undefined;

  /** Whether requests that resume the program have no response. */
  readonly #isUnanswered: boolean;

  /** @param limit Maximum number of remembered requests that resume only part of the program. */
  constructor(protocol: Protocol, limit: number) {
    const { conversation, lanes } = protocol;
    this.#partial = new LatestEntries(limit);
    this.#isUnanswered = lanes !== undefined;
    const resuming = requestsOf(protocol).filter(({ answers }) => answers?.resumes === true);
    this.#resumes = new Set(conversation?.resumes ?? resuming.map(({ name }) => name));
    this.#stops = new Set(conversation?.stops ?? lanes?.stops);
  }

  /** Whether the whole program is running because a request resumed it. */
  get isRunning(): boolean {
    return this.#ranAt > this.#stoppedAt;
  }

  /** Returns whether ids introduced at this position are no longer valid. */
  isVoid(givenAt: number): boolean {
    return givenAt < this.#voidBefore;
  }

  /** Returns whether any part of the program has resumed or stopped since this position. */
  hasMovedSince(index: number): boolean {
    return this.#movedAt > index;
  }

  /**
   * @param isPartial Returns whether parameters or a result show that only part of the program
   * resumes.
   */
  follow(message: JudgedMessage, isPartial: (body: unknown) => boolean): void {
    const { kind, name = "", index, request, hasFailed } = message;
    if (kind === "event" && this.#stops.has(name)) this.#stop(index);
    if (!this.#resumes.has(name)) return;
    this.#movedAt = index;
    const isPart = isPartial(message.fields[message.payloadField]);
    if (kind === "request") {
      if (isPart) this.#partial.set(index, true);
      else if (this.#isUnanswered) this.#resume(index);
    } else if (kind === "event") {
      if (!isPart) this.#resumedAt = index;
    } else if (request !== undefined) {
      const wasPart = this.#partial.get(request.index) === true;
      if (!hasFailed && !isPart && !wasPart) this.#resume(request.index);
    }
  }

  #stop(index: number): void {
    this.#stoppedAt = this.#movedAt = index;
    if (this.#resumedAt !== undefined)
      this.#voidBefore = Math.max(this.#voidBefore, this.#resumedAt);
    this.#resumedAt = undefined;
  }

  /**
   * Uses the request's position, because messages between a request and its response may belong to
   * the next stop.
   */
  #resume(askedAt: number): void {
    this.#ranAt = askedAt;
    this.#voidBefore = Math.max(this.#voidBefore, askedAt);
  }
}
