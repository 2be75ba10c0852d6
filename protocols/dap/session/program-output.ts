import type { Connection } from "../../../generated/dap/connection.js";
import type { ProgramState } from "./program-state.js";
import { SessionError } from "./session-error.js";
import type { WaitOptions } from "./session-options.js";
import type { OutputEvent } from "../../../generated/dap/types.js";

/** Characters that are kept: the latest ones. */
const maxKept = 4 * 1024 * 1024;

/** Which output to look at. */
export interface OutputOptions extends WaitOptions {
  /** Only output of this category. Default: all but `telemetry`. */
  readonly category?: string;
}

interface KeptOutput {
  readonly number: number;
  readonly body: OutputEvent["body"];
}

/** The output of a program. The latest 4 Mi characters are kept from the start of the session on. */
export class ProgramOutput {
  readonly #state: ProgramState;
  #kept: KeptOutput[] = [];
  #length = 0;
  #count = 0;
  /** Where the next wait goes on: the first output that it looks at, and characters to skip. */
  readonly #read = new Map<string, { readonly number: number; readonly skip: number }>();
  readonly #wake = new Set<() => void>();
  #isOver = false;

  constructor(connection: Connection<"client">, state: ProgramState) {
    this.#state = state;
    connection.on("output", (body) => this.#add(body));
    void connection.closed.then(() => {
      this.#isOver = true;
      this.#notify();
    });
  }

  /** All that is kept, as one text. */
  text(category?: string): string {
    return this.#of(category, 0)
      .map(({ body }) => body.output)
      .join("");
  }

  /** All that is kept, and then each output as it arrives, until the connection ends. */
  async *[Symbol.asyncIterator](): AsyncGenerator<OutputEvent["body"], void, undefined> {
    let next = 0;
    for (;;) {
      for (const { number, body } of this.#of(undefined, next, true)) {
        next = number + 1;
        yield body;
      }
      if (this.#count > next && this.#of(undefined, next, true).length > 0) continue;
      if (this.#isOver) return;
      await this.#changed();
    }
  }

  /**
   * Resolves when a text has been printed, which may be spread over several events. The next call
   * looks behind it.
   *
   * @throws RequestError, as a rejection, after the timeout. SessionError, if the session ends
   *   before.
   */
  async wait(pattern: string | RegExp, options: OutputOptions = {}): Promise<RegExpExecArray> {
    const { category } = options;
    const expression =
      typeof pattern === "string"
        ? new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
        : new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
    const key = category ?? "";
    const shown = JSON.stringify(String(pattern));
    const isNew = typeof pattern === "string" ? this.#newMatches(pattern, category) : () => true;
    let isAwake = true;
    const wake = (): void => void (isAwake = true);
    this.#wake.add(wake);
    try {
      return await this.#state.wait(
        `the output ${shown}`,
        () => {
          const found = isAwake && isNew() ? this.#find(key, category, expression) : undefined;
          isAwake = false;
          if (found !== undefined || !this.#isOver) return found;
          const text = `The session ended before it printed ${shown}`;
          throw new SessionError("ERR_SESSION_ENDED", text);
        },
        options,
      );
    } finally {
      this.#wake.delete(wake);
    }
  }

  /**
   * Tells whether a text may have come since the last call: what has been looked at need not be
   * looked at with each output.
   */
  #newMatches(text: string, category: string | undefined): () => boolean {
    let next = 0;
    let tail = "";
    return () => {
      const added = this.#of(category, next).map(({ body }) => body.output);
      next = this.#count;
      const all = tail + added.join("");
      tail = text.length > 1 ? all.slice(1 - text.length) : "";
      return all.includes(text);
    };
  }

  #find(
    key: string,
    category: string | undefined,
    expression: RegExp,
  ): RegExpExecArray | undefined {
    const from = this.#read.get(key) ?? { number: 0, skip: 0 };
    const pieces = this.#of(category, from.number);
    const texts = pieces.map(({ number, body }) =>
      number === from.number ? body.output.slice(from.skip) : body.output,
    );
    const found = expression.exec(texts.join(""));
    if (found === null) return undefined;
    let rest = found.index + found[0].length;
    for (const [index, { number }] of pieces.entries()) {
      const { length } = texts[index]!;
      const skipped = number === from.number ? from.skip : 0;
      if (rest <= length) {
        this.#read.set(key, { number, skip: skipped + rest });
        break;
      }
      rest -= length;
    }
    return found;
  }

  #of(category: string | undefined, from: number, all = false): KeptOutput[] {
    const first = this.#count - this.#kept.length;
    return this.#kept.slice(Math.max(0, from - first)).filter(({ body }) => {
      const own = body.category ?? "console";
      return all || (category === undefined ? own !== "telemetry" : own === category);
    });
  }

  #add(body: OutputEvent["body"]): void {
    // An adapter may send anything.
    if (typeof (body as Partial<OutputEvent["body"]> | undefined)?.output !== "string") return;
    this.#kept.push({ number: this.#count++, body });
    this.#length += body.output.length;
    while (this.#length > maxKept && this.#kept.length > 1)
      this.#length -= this.#kept.shift()!.body.output.length;
    this.#notify();
  }

  #notify(): void {
    for (const wake of [...this.#wake]) wake();
    this.#state.check();
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
