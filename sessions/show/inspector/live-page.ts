import type { ServerResponse } from "node:http";
import type { LintedProtocol } from "../../judge/lint-options.js";
import type { LintFinding, LintRule } from "../../judge/rules.js";
import type { RecordedEntry } from "../../read/recorded-entry.js";
import { printLivePage } from "./inspector-page.js";
import type { LiveUpdate, PageData } from "./page-data.js";
import { textHandler, type PageHandler } from "./page-server.js";
import { pageHeadOf } from "./recording-page.js";
import { RowCollector, type RowBlock } from "./row-collector.js";

/**
 * How much history to keep for pages that are opened later: the maximum number of rows, and the
 * maximum number of characters in messages and findings.
 */
interface LiveLimits {
  readonly rows: number;
  readonly length: number;
}

const usualLimits: LiveLimits = { rows: 50_000, length: 32 * 1024 * 1024 };

/** How long rows are collected before they are sent, in milliseconds. */
const collectMs = 100;

/**
 * Maximum number of characters waiting to be sent to a page. A page that exceeds this is
 * disconnected, reconnects, and receives everything from the beginning.
 */
const maxWaiting = 64 * 1024 * 1024;

/** An update in the form sent to pages, along with its number of rows. */
interface SentUpdate {
  readonly number: number;
  readonly text: string;
  readonly rows: number;
}

/**
 * The page for running sessions. It sends updates to open pages as server-sent events. Old updates
 * are dropped, which the pages report.
 */
export class LivePage {
  readonly #protocol: LintedProtocol;
  readonly #title: string;
  readonly #rules: ReadonlyMap<string, LintRule>;
  readonly #limits: LiveLimits;
  readonly #collector: RowCollector;
  readonly #readers = new Set<ServerResponse>();
  readonly #updates: SentUpdate[] = [];
  readonly #used = { rows: 0, length: 0 };
  #number = 0;
  #forgotten = 0;
  #sessions = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(
    protocol: LintedProtocol,
    title: string,
    rules: ReadonlyMap<string, LintRule>,
    limits: LiveLimits = usualLimits,
  ) {
    this.#protocol = protocol;
    this.#title = title;
    this.#rules = rules;
    this.#limits = limits;
    this.#collector = new RowCollector(protocol, (block) => this.#send(block));
  }

  /** The functions that handle requests from open pages, by path. */
  get handlers(): ReadonlyMap<string, PageHandler> {
    return new Map<string, PageHandler>([
      ["", textHandler("text/html", () => printLivePage(this.#title))],
      ["events", (request, response) => this.#follow(request.headers["last-event-id"], response)],
    ]);
  }

  push(entry: RecordedEntry): void {
    this.#collector.push(entry);
    this.#later();
  }

  /** @param finding A finding about the session's last message or an earlier one. */
  find(finding: LintFinding, session = 0): void {
    this.#collector.find({ ...finding, session });
    this.#later();
  }

  /** Sends the collected updates. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#collector.flush();
  }

  /** Sends the last updates and closes the connections to all pages. */
  end(): void {
    this.flush();
    this.#isOver = true;
    for (const reader of this.#readers) endReading(reader);
  }

  /** Whether updates have ended and every page has received all of them. */
  get isDelivered(): boolean {
    return this.#isOver && this.#readers.size === 0;
  }

  #later(): void {
    this.#timer ??= setTimeout(() => this.flush(), collectMs);
  }

  #send(block: RowBlock): void {
    const { sessions } = this.#collector;
    const isKnown = sessions.length === this.#sessions;
    const update: LiveUpdate = { ...block, sessions: isKnown ? [] : sessions };
    this.#sessions = sessions.length;
    const sent = {
      number: ++this.#number,
      text: JSON.stringify(update),
      rows: block.rows.length,
    };
    this.#keep(sent);
    for (const reader of this.#readers) this.#write(reader, sent);
  }

  #keep(update: SentUpdate): void {
    this.#updates.push(update);
    this.#used.rows += update.rows;
    this.#used.length += update.text.length;
    const { rows, length } = this.#limits;
    while (this.#updates.length > 1 && (this.#used.rows > rows || this.#used.length > length)) {
      const old = this.#updates.shift()!;
      this.#used.rows -= old.rows;
      this.#used.length -= old.text.length;
      this.#forgotten += old.rows;
    }
  }

  /** Sends a page the updates that it has yet to receive. */
  #follow(last: string | string[] | undefined, response: ServerResponse): void {
    response.setHeader("content-type", "text/event-stream; charset=utf-8");
    this.flush();
    const received = typeof last === "string" && /^\d{1,15}$/.test(last) ? Number(last) : -1;
    const first = this.#updates[0]?.number ?? this.#number + 1;
    if (received < first - 1 || received > this.#number) {
      response.write(`event: begin\ndata: ${JSON.stringify(this.#begin())}\n\n`);
      for (const update of this.#updates) this.#write(response, update);
    } else
      for (const update of this.#updates)
        if (update.number > received) this.#write(response, update);
    this.#readers.add(response);
    response.on("close", () => this.#readers.delete(response));
    if (this.#isOver) endReading(response);
  }

  #begin(): PageData {
    const omission =
      this.#forgotten === 0
        ? []
        : [`The first ${this.#forgotten.toLocaleString("en")} rows are no longer kept.`];
    return {
      head: { ...pageHeadOf(this.#protocol, this.#title, omission), isLive: true },
      blocks: [],
      findings: [],
      found: 0,
      sessions: this.#collector.sessions,
      rules: Object.fromEntries([...this.#rules].map(([id, { docs }]) => [id, docs])),
    };
  }

  #write(response: ServerResponse, { number, text }: SentUpdate): void {
    if (response.writableLength > maxWaiting) {
      // Disconnect the page. It will reconnect and receive everything from the beginning.
      this.#readers.delete(response);
      response.destroy();
      return;
    }
    response.write(`id: ${number}\ndata: ${text}\n\n`);
  }
}

function endReading(response: ServerResponse): void {
  response.end("event: over\ndata:\n\n");
}
