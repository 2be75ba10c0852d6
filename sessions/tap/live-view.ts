import { partOf } from "../../runtime/base/json-pointer.js";
import type { Protocol } from "../../generator/model/protocol.js";
import type { LintFinding } from "../judge/rules.js";
import { visible } from "../../generator/base/visible-text.js";
import { LatestEntries } from "../../runtime/base/latest-entries.js";
import { hasFailed } from "../../runtime/protocol/message-fields.js";
import { kindReaderOf } from "../read/message-reader.js";
import { MessageSummaries, summaryText } from "../read/message-summary.js";
import type { Observed, ObservedMessage } from "../read/observed.js";
import { bodyLines } from "./body-lines.js";
import type { MessageFilter } from "./message-filter.js";
import { RepeatedFindings } from "./repeated-findings.js";
import type { SessionWatcher } from "./session-watcher.js";
import { TerminalLine, widthOf, type LineStyle } from "./terminal-line.js";

type Fields = { readonly [field: string]: unknown };

/** Maximum length of a string that is shown, in characters. */
const shownText = 60;

/** Maximum number of pending requests to remember. Beyond that, the oldest ones are forgotten. */
const maxWaiting = 10_000;

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

/** A pending request. */
interface Asked {
  readonly name: string;
  readonly time: number;
}

/**
 * Prints one line per observation, with its time, sender, message, summary, size and response time.
 * Findings follow on lines of their own.
 */
export class LiveView implements SessionWatcher {
  readonly #protocol: Protocol;
  readonly #kindOf: ReturnType<typeof kindReaderOf>;
  readonly #print: (line: string) => void;
  readonly #summaries: MessageSummaries;
  readonly #repeated = new RepeatedFindings();
  /** Pending requests, by session, sender and id. */
  readonly #waiting = new LatestEntries<string, Asked>(maxWaiting);
  #options: ViewOptions;
  /** Whether the latest observation is shown. */
  #isShown = true;
  /** Whether messages have been skipped, which means that requests may be missing. */
  #hasGap = false;

  constructor(protocol: Protocol, print: (line: string) => void, options: ViewOptions) {
    this.#protocol = protocol;
    this.#kindOf = kindReaderOf(protocol);
    this.#print = print;
    this.#options = options;
    this.#summaries = new MessageSummaries(protocol);
  }

  /** Sets the terminal width. */
  resize(columns: number | undefined): void {
    this.#options = { ...this.#options, columns };
  }

  observe(observed: Observed, session?: number): void {
    if (observed.kind === "lost") this.#hasGap = true;
    const asked =
      observed.kind === "message" ? this.#match(observed, session) : { name: undefined };
    const { filter, bodyLines: most = 0 } = this.#options;
    this.#isShown =
      observed.kind !== "stderr" && filter?.chooses(observed, asked.name, session) !== false;
    if (!this.#isShown) return;
    const line = this.#begin(observed, session);
    switch (observed.kind) {
      case "message":
        this.#message(line, observed, asked);
        this.#say(line);
        this.#body(observed, most);
        return;
      case "fault":
        this.#say(
          line
            .add(`${observed.code} ${visible(observed.text)}`, "red")
            .add(` at byte ${observed.offset}`),
        );
        return;
      case "lost":
        this.#say(line.add(observed.text, "red"));
        return;
      case "noise":
        this.#say(line.add(`noise ${quoted(observed.text)}`, "yellow"));
        return;
      case "end":
        this.#say(line.add(`the ${observed.from} ${observed.how}`, "bold"));
    }
  }

  find(finding: LintFinding, session?: number): void {
    if (!this.#isShown || !this.#repeated.isNews(finding)) return;
    const { severity, rule, label, pointer, message } = finding;
    const place = pointer === "" ? "" : ` ${visible(pointer)}`;
    this.#say(
      new TerminalLine()
        .add(`${markOf(session)}${indent}`)
        .add(`${severity} ${visible(rule)}`, severity === "error" ? "red" : "yellow")
        .add(` ${visible(label)}${place}: ${visible(message)}`),
    );
  }

  skip(messages: number): void {
    this.#hasGap = true;
    const text = `${messages} messages were neither shown nor checked, because the tap could not keep up`;
    this.#say(new TerminalLine().add(`${indent}${text}`, "yellow"));
  }

  end(): void {
    for (const { severity, rule, label, count } of this.#repeated.omitted)
      this.#say(
        new TerminalLine()
          .add(indent)
          .add(`${severity} ${visible(rule)}`, severity === "error" ? "red" : "yellow")
          .add(` ${visible(label)}: ${count} more similar findings`),
      );
  }

  #say(line: TerminalLine): void {
    this.#print(line.print(this.#options));
  }

  #begin({ from, time }: Observed, session: number | undefined): TerminalLine {
    const arrow = from === this.#protocol.roles[0] ? "→" : "←";
    return new TerminalLine().add(`${markOf(session)}${seconds(time)} ${arrow} `);
  }

  /**
   * Remembers a request, or finds the request that a response answers. Returns the request and the
   * message's name.
   */
  #match(
    { from, time, message }: ObservedMessage,
    session: number | undefined,
  ): { readonly name: string | undefined; readonly asked?: Asked | undefined } {
    const { request, event, response, id = "", replyTo = "" } = this.#protocol.envelope;
    const fields = message as Fields;
    const kind = this.#kindOf(fields);
    if (kind === "response" && response !== undefined) {
      const asked = this.#answered(session, from, fields[replyTo]);
      const own = response.name === undefined ? undefined : fields[response.name];
      return { name: asked?.name ?? nameOf(own), asked };
    }
    if (kind === "request") {
      const name = nameOf(fields[request.name]);
      const number = fields[id];
      if (id !== "" && isId(number))
        this.#waiting.set(keyOf(session, from, number), { name: name ?? "", time });
      return { name };
    }
    return { name: kind === "event" ? nameOf(fields[event.name]) : undefined };
  }

  #message(
    line: TerminalLine,
    { time, length, message }: ObservedMessage,
    { name, asked }: { readonly name?: string | undefined; readonly asked?: Asked | undefined },
  ): void {
    const { request, event, response, id = "", replyTo = "" } = this.#protocol.envelope;
    const fields = message as Fields;
    const kind = this.#kindOf(fields);
    if (kind === "response" && response !== undefined) {
      const own = response.name === undefined ? undefined : fields[response.name];
      const what = asked === undefined ? shown(own) : visible(asked.name);
      line.add(`response ${shown(fields[replyTo])} ${what}  `);
      const reason = this.#reasonOf(fields);
      if (!hasFailed(response, fields)) line.add("ok", "green");
      else if (reason === undefined) line.add("failed", "red");
      else line.add(`failed: ${quoted(reason)}`, "red");
      if (asked !== undefined) line.add(` after ${duration(time - asked.time)}`);
      else if (!this.#hasGap) line.add(" to an unknown request");
    } else if (kind === "request") {
      const number = id === "" ? "" : ` ${shown(fields[id])}`;
      line.add(`${request.noun}${number} `).add(shown(fields[request.name]), "cyan");
    } else if (kind === "event") line.add(`${event.noun} `).add(shown(fields[event.name]), "bold");
    else line.add("a message of unknown kind", "red");
    const size = `  ${length} B`;
    const summary = visible(summaryText(this.#summaries.partsOf(message, name)));
    const room = (this.#options.columns ?? Infinity) - line.width;
    if (summary === "" || room < minSummary) line.add(size, "dim");
    else if (widthOf(summary) + 2 + size.length <= room) line.add(`  ${summary}`).add(size, "dim");
    // If there is not enough room for both, the summary takes precedence over the size.
    else line.add(`  ${summary}`);
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

  #body({ message }: ObservedMessage, most: number): void {
    if (most === 0) return;
    for (const text of bodyLines(this.#protocol, message, most))
      this.#say(new TerminalLine().add(`${indent}${text}`, "dim"));
  }

  #answered(session: number | undefined, from: string, number: unknown): Asked | undefined {
    if (!isId(number)) return undefined;
    const asking = this.#protocol.roles.find((role) => role !== from)!;
    const key = keyOf(session, asking, number);
    const asked = this.#waiting.get(key);
    this.#waiting.delete(key);
    return asked;
  }
}

function keyOf(session: number | undefined, from: string, id: number | string): string {
  return `${session ?? ""} ${from} ${id}`;
}

function markOf(session: number | undefined): string {
  return session === undefined ? "" : `#${session} `;
}

/**
 * Returns whether a value can be an id. Long strings are rejected, because a peer could otherwise
 * use them to fill up the memory.
 */
function isId(value: unknown): value is number | string {
  return typeof value === "number" || (typeof value === "string" && value.length <= shownText);
}

/** Returns the name of a message, shortened if it is long. */
function nameOf(value: unknown): string | undefined {
  return typeof value === "string" ? cut(value) : undefined;
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
