import { visible } from "../../generator/base/visible-text.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { partOf } from "../../runtime/base/json-pointer.js";
import { FindingGroups } from "../judge/kept-findings.js";
import type { LintFinding } from "../judge/rules.js";
import { MessageSummaries } from "../read/message-summary.js";
import { type Fields, payloadFieldOf } from "../read/message-reader.js";
import type { Observed, ObservedMessage } from "../read/captured-sessions.js";
import { MessageTracker, type TrackedMessage } from "../show/exchanges/message-tracker.js";
import type { MessageFilter } from "./message-filter.js";
import type { SessionWatcher } from "./shown-sessions.js";
import { TerminalLine, widthOf, type LineStyle } from "./terminal-line.js";

/** Maximum length of a string that is shown, in characters. */
const shownText = 60;

/**
 * Minimum number of columns for a shortened summary. If fewer are available, the summary is
 * omitted.
 */
const minSummary = 8;

/** Indentation of lines that belong to the message above them. */
const indent = " ".repeat(12);

export interface ViewOptions extends LineStyle {
  /** Maximum number of lines to show for each payload. Default: 0. */
  readonly bodyLines?: number | undefined;
  /** Selects the messages to show. Default: all. */
  readonly filter?: MessageFilter | undefined;
}

/**
 * Prints one line per observation, with its time, sender, message, summary, size and response time.
 * Findings follow on lines of their own.
 */
export class LiveView implements SessionWatcher {
  readonly #protocol: Protocol;
  readonly #print: (line: string) => void;
  readonly #summaries: MessageSummaries;
  readonly #findings = new FindingGroups(keyOfShown);
  readonly #tracker: MessageTracker;
  #options: ViewOptions;
  /** Whether the latest observation is shown. */
  #isShown = true;

  constructor(protocol: Protocol, print: (line: string) => void, options: ViewOptions) {
    this.#protocol = protocol;
    this.#tracker = new MessageTracker(protocol);
    this.#print = print;
    this.#options = options;
    this.#summaries = new MessageSummaries(protocol);
  }

  /** Sets the terminal width. */
  resize(columns: number | undefined): void {
    this.#options = { ...this.#options, columns };
  }

  observe(observed: Observed, session?: number): void {
    const tracked =
      observed.kind === "message" ? this.#tracker.read({ ...observed, session }) : undefined;
    const { filter, bodyLines: maxLines = 0 } = this.#options;
    this.#isShown =
      observed.kind !== "stderr" && filter?.chooses(observed.from, session, tracked) !== false;
    if (!this.#isShown) return;
    const line = this.#begin(observed, session);
    switch (observed.kind) {
      case "message":
        this.#message(line, observed, tracked!);
        this.#say(line);
        this.#body(observed, tracked!, maxLines);
        return;
      case "fault":
        this.#say(
          line
            .add(`${observed.code} ${visible(observed.text)}`, "red")
            .add(` at byte ${observed.offset}`),
        );
        return;
      case "noise":
        this.#say(line.add(`noise ${quoted(observed.text)}`, "yellow"));
        return;
      case "end":
        this.#say(line.add(`the ${observed.from} ${observed.how}`, "bold"));
    }
  }

  find(finding: LintFinding, session?: number): void {
    if (!this.#isShown || this.#findings.add(finding) > maxTimes) return;
    const { severity, rule, label, pointer, message } = finding;
    const place = pointer === "" ? "" : ` ${visible(pointer)}`;
    this.#say(
      new TerminalLine()
        .add(`${markOf(session)}${indent}`)
        .add(`${severity} ${visible(rule)}`, severity === "error" ? "red" : "yellow")
        .add(` ${visible(label)}${place}: ${visible(message)}`),
    );
  }

  end(): void {
    for (const { first, count } of this.#findings.list) {
      const { severity, rule, label } = first;
      if (count <= maxTimes) continue;
      this.#say(
        new TerminalLine()
          .add(indent)
          .add(`${severity} ${visible(rule)}`, severity === "error" ? "red" : "yellow")
          .add(` ${visible(label)}: ${count - maxTimes} more similar findings`),
      );
    }
  }

  #say(line: TerminalLine): void {
    this.#print(line.print(this.#options));
  }

  #begin({ from, time }: Observed, session: number | undefined): TerminalLine {
    const arrow = from === this.#protocol.roles[0] ? "→" : "←";
    return new TerminalLine().add(`${markOf(session)}${seconds(time)} ${arrow} `);
  }

  #message(
    line: TerminalLine,
    { length, message }: ObservedMessage,
    { kind, name, hasFailed, answers, latency = 0 }: TrackedMessage,
  ): void {
    const { request, event, id = "", replyTo = "" } = this.#protocol.envelope;
    const fields = message as Fields;
    if (kind === "response") {
      line.add(`response ${shown(fields[replyTo])} ${this.#nameOf(fields, name)}  `);
      const reason = this.#reasonOf(fields);
      if (!hasFailed) line.add("ok", "green");
      else if (reason === undefined) line.add("failed", "red");
      else line.add(`failed: ${quoted(reason)}`, "red");
      if (answers === undefined) line.add(" to an unknown request");
      else line.add(` after ${duration(latency)}`);
    } else if (kind === "request") {
      const number = id === "" ? "" : ` ${shown(fields[id])}`;
      line.add(`${request.noun}${number} `).add(shown(fields[request.name]), "cyan");
    } else if (kind === "event") line.add(`${event.noun} `).add(shown(fields[event.name]), "bold");
    else line.add("a message of unknown kind", "red");
    const size = `  ${length} B`;
    const summary = visible(this.#summaries.textOf(message, name));
    const room = (this.#options.columns ?? Infinity) - line.width;
    if (summary === "" || room < minSummary) line.add(size, "dim");
    else if (widthOf(summary) + 2 + size.length <= room) line.add(`  ${summary}`).add(size, "dim");
    // If there is not enough room for both, the summary takes precedence over the size.
    else line.add(`  ${summary}`);
  }

  /** Prints a response's name or, if it is not known, whatever the response has in its place. */
  #nameOf(fields: Fields, name: string | undefined): string {
    return shown(name ?? fields[this.#protocol.envelope.response?.name ?? ""]);
  }

  /** Returns the error message of a failure response. */
  #reasonOf(fields: Fields): string | undefined {
    const { envelope, conversation } = this.#protocol;
    const short = envelope.response?.errorText;
    const places = short === undefined ? (conversation?.failures?.text ?? []) : [`/${short}`];
    return places
      .map((pointer) => partOf(fields, pointer))
      .find((text): text is string => typeof text === "string" && text !== "");
  }

  #body({ message }: ObservedMessage, { kind, hasFailed }: TrackedMessage, max: number): void {
    if (max === 0) return;
    const { envelope } = this.#protocol;
    const field = hasFailed
      ? envelope.response!.error
      : payloadFieldOf(envelope, kind === "none" ? "event" : kind);
    for (const text of bodyLines((message as Fields)[field], max))
      this.#say(new TerminalLine().add(`${indent}${text}`, "dim"));
  }
}

function markOf(session: number | undefined): string {
  return session === undefined ? "" : `#${session} `;
}

/** Prints a name or an id, or whatever value a peer sent in place of one. */
function shown(value: unknown): string {
  return visible(cut(typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")));
}

function quoted(text: string): string {
  return visible(JSON.stringify(cut(text)));
}

function cut(text: string): string {
  return text.length > shownText ? `${text.slice(0, shownText)}…` : text;
}

function seconds(time: number): string {
  return `${(time / 1_000).toFixed(3).padStart(8)}s`;
}

function duration(time: number): string {
  return time < 1_000 ? `${time.toFixed(1)} ms` : `${(time / 1_000).toFixed(2)} s`;
}

/** Maximum length of a line, in characters. */
const maxLineLength = 1_000;

/**
 * Prints a payload as indented JSON that is safe to show in a terminal. Without a payload, the
 * result is empty.
 *
 * @param maxLines Maximum number of lines. If some are left out, one more line says how many.
 */
function bodyLines(payload: unknown, maxLines: number): readonly string[] {
  const text = printed(payload);
  if (text === undefined) return [];
  const lines = text.split("\n");
  const shown = lines.slice(0, maxLines).map((line) => visible(line.slice(0, maxLineLength)));
  return lines.length > maxLines ? [...shown, `… ${lines.length - maxLines} more lines`] : shown;
}

function printed(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, undefined, 2);
  } catch {
    return "a value that is too large to print";
  }
}

/** Maximum number of times to show equal findings. */
const maxTimes = 3;

/**
 * Returns the key that equal findings share: their rule, message name and JSON Pointer, apart from
 * ids and array indexes.
 */
function keyOfShown({ rule, label, pointer }: LintFinding): string {
  return JSON.stringify([rule, label.replaceAll(/\d+/g, "0"), pointer.replaceAll(/\d+/g, "*")]);
}
