import { isBranded, setBrand, type TextDecoderClass } from "@wirewright/runtime";
import type { CustomEvent, KnownEvent } from "../../../generated/dap/messages.js";
import { LatestItems, weightOf } from "../session/latest-items.js";

const brand = /* @__PURE__ */ Symbol.for("wirewright.SessionAssertionError");

/**
 * Thrown when a session does not behave as expected. Like an `AssertionError`, the error has the
 * properties `name`, `code`, `actual` and `expected`, so that test runners show a diff. The message
 * ends with an account of the session.
 */
export class SessionAssertionError extends Error {
  override readonly name = "AssertionError";
  readonly code = "ERR_ASSERTION";
  readonly actual: unknown;
  readonly expected: unknown;
  /** The message without the account. */
  readonly summary: string;
  /** The last events and output. */
  readonly account: string;

  constructor(
    summary: string,
    account: string,
    values: {
      readonly actual?: unknown;
      readonly expected?: unknown;
      readonly cause?: unknown;
    } = {},
  ) {
    super(
      `${summary}\n${account}`,
      values.cause === undefined ? undefined : { cause: values.cause },
    );
    this.actual = values.actual;
    this.expected = values.expected;
    this.summary = summary;
    this.account = account;
    setBrand(this, brand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, SessionAssertionError, brand, value);
  }
}

declare const TextDecoder: TextDecoderClass;

/** An event from a session or one of its children. */
export interface SeenEvent {
  /** Number of earlier events. */
  readonly number: number;
  readonly event: KnownEvent | CustomEvent;
}

/** Maximum number of events to keep, and to show in an account. */
const maxKept = 10_000;
const maxWeight = 0x100_0000;
const maxTold = 12;
const maxCharacters = 160;
const maxLines = 10;

/** A session's events so far, for error messages. */
export class SessionAccount {
  readonly #events = new LatestItems<SeenEvent>(maxKept, maxWeight);
  #output = "";
  #errorOutput = "";

  add(event: KnownEvent | CustomEvent): void {
    this.#events.add({ number: this.#events.added, event }, weightOf(event, maxWeight));
    const { output, category } = (event.body ?? {}) as {
      readonly output?: unknown;
      readonly category?: unknown;
    };
    if (event.event === "output" && typeof output === "string" && category !== "telemetry")
      this.#output = lastLines(this.#output + output.slice(-maxCharacters * maxLines));
  }

  /** Returns the events kept, starting with the given number. */
  from(number: number): readonly SeenEvent[] {
    return this.#events.from(number);
  }

  /** Reads the error output of an adapter that runs as a process. */
  watch(target: unknown): void {
    const { stderr } = ((target as { readonly process?: unknown }).process ?? {}) as {
      readonly stderr?: { on?(name: "data", listener: (chunk: Uint8Array | string) => void): void };
    };
    const decoder = new TextDecoder();
    stderr?.on?.("data", (chunk) => {
      const text = typeof chunk === "string" ? chunk : decoder.decode(chunk);
      this.#errorOutput = lastLines(this.#errorOutput + text);
    });
  }

  /** Describes the events so far as human-readable text. */
  get text(): string {
    const last = this.#events.from(this.#events.added - maxTold);
    const left = this.#events.added - last.length;
    const events = [
      ...(left > 0 ? [`(${left} before)`] : []),
      ...last.map(({ event: { event, body } }) =>
        shortened(body === undefined ? event : `${event} ${JSON.stringify(body)}`),
      ),
    ];
    return [
      section("Events", events.length === 0 ? ["none"] : events),
      section("Output", linesOf(this.#output)),
      section("Adapter error output", linesOf(this.#errorOutput)),
    ]
      .filter((part) => part !== "")
      .join("\n");
  }
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [`${title}:`, ...lines.map((line) => `  ${line}`)].join("\n");
}

function lastLines(text: string): string {
  return text
    .split("\n")
    .slice(-maxLines - 1)
    .join("\n")
    .slice(-maxLines * maxCharacters);
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.trimEnd().split(/\r?\n/).slice(-maxLines).map(shortened);
}

function shortened(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
}
