import { onValid, whenClosed } from "./connection-events.js";
import type { Connection } from "../../../generated/dap/connection.js";
import type { ProgramOutput } from "./debug-session.js";
import { LatestItems, weightOf } from "./latest-items.js";
import { OutputSearch, type OutputPlace } from "./output-search.js";
import type { ProgramState } from "./program-state.js";
import { SessionError } from "./session-error.js";
import type { OutputEvent } from "../../../generated/dap/types.js";
import { validateOutputEventBody } from "../../../generated/dap/validators.js";
import type { OutputOptions } from "./wait-options.js";

/**
 * Maximum number and total weight of the events kept. The weight approximates the number of
 * characters.
 */
const maxEvents = 65_536;
const maxWeight = 0x40_0000;

/** Keeps the output of a program and its child sessions. */
export class KeptOutput implements ProgramOutput {
  readonly #state: ProgramState;
  readonly #parent: KeptOutput | undefined;
  readonly #kept = new LatestItems<OutputEvent["body"]>(maxEvents, maxWeight);
  /** Where the next search starts, by category. */
  readonly #read = new Map<string, OutputPlace>();
  readonly #wake = new Set<() => void>();
  #isOver = false;

  constructor(
    connection: Connection<"client">,
    state: ProgramState,
    parent: KeptOutput | undefined,
  ) {
    this.#state = state;
    this.#parent = parent;
    onValid(connection, "output", validateOutputEventBody, (body) => this.#add(body));
    whenClosed(connection, () => {
      this.#isOver = true;
      this.#notify();
    });
  }

  text(category?: string): string {
    return this.#kept
      .from(0)
      .filter((body) => isOf(category, body))
      .map(({ output }) => output)
      .join("");
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<OutputEvent["body"], void, undefined> {
    let next = 0;
    for (;;) {
      next = Math.max(next, this.#kept.first);
      if (next < this.#kept.added) yield this.#kept.get(next++)!;
      else if (this.#isOver) return;
      else await this.#changed();
    }
  }

  /** Implements a session's `waitForOutput`. */
  async wait(pattern: string | RegExp, options: OutputOptions = {}): Promise<RegExpExecArray> {
    const { category } = options;
    const key = category ?? "";
    const shown = JSON.stringify(String(pattern));
    const read = this.#read.get(key) ?? { number: 0, skip: 0 };
    let next = read.number;
    const search = new OutputSearch(pattern, () => this.#state.waits.check());
    try {
      return await this.#state.wait(
        `the output ${shown}`,
        () => {
          const first = Math.max(next, this.#kept.first);
          for (const [index, body] of this.#kept.from(first).entries()) {
            const number = first + index;
            const skip = number === read.number ? read.skip : 0;
            if (isOf(category, body)) search.add(body.output, { number, skip });
          }
          next = this.#kept.added;
          const found = search.find(this.#isOver);
          if (found !== undefined) {
            this.#read.set(key, found.end);
            return found.match;
          }
          if (!this.#isOver) return undefined;
          const text = `The session ended before it printed ${shown}`;
          throw new SessionError("ERR_SESSION_ENDED", text);
        },
        options,
      );
    } finally {
      search.stop();
    }
  }

  #add(body: OutputEvent["body"]): void {
    // `output` may be null, because the wire profile accepts null.
    if (typeof body.output !== "string") return;
    this.#kept.add(body, weightOf(body, maxWeight));
    this.#notify();
    if (this.#parent !== undefined) this.#parent.#add(body);
  }

  #notify(): void {
    for (const wake of [...this.#wake]) wake();
    this.#state.waits.check();
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#wake.delete(wake);
        resolve();
      };
      this.#wake.add(wake);
    });
  }
}

function isOf(category: string | undefined, body: OutputEvent["body"]): boolean {
  const own = body.category ?? "console";
  return category === undefined ? own !== "telemetry" : own === category;
}
