import type { TreeSession } from "../../exchanges/session-tree.js";
import {
  severities,
  type LiveUpdate,
  type PageData,
  type PageFinding,
  type PageHead,
  type PageRow,
  type PageSeverity,
  type RowKind,
} from "../page-data.js";

/** A row along with what other rows and the findings say about it. */
export interface Row extends PageRow {
  /**
   * Milliseconds between a request and its first response. Both of their rows have this value.
   */
  latency?: number;
  /** The request that a response answers, or a request's first response, if it is on the page. */
  partner?: Row;
  readonly findings: PageFinding[];
}

/** Limits for a live page. A page that exceeds them removes its oldest messages. */
export const liveLimits = { rows: 100_000, length: 96 * 1024 * 1024 };

/** The rows of a recording, along with their findings. */
export class SessionStore {
  readonly head: PageHead;
  readonly rules: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
  /** The rows in blocks. The rows of a block have consecutive numbers. */
  readonly blocks: Row[][] = [];
  sessions: readonly TreeSession[];
  /** Number of findings, including those about rows that the page does not contain. */
  found: number;
  /** Number of rows that a live page has removed. */
  dropped = 0;
  /** Number of messages in all rows, including those that have been removed. */
  messages = 0;
  readonly #rows = new Map<number, Row>();
  #findings: PageFinding[] = [];
  /** Rules whose findings are hidden. */
  #muted: ReadonlySet<string> = new Set();

  constructor({ head, blocks, findings, found, sessions, rules }: PageData) {
    this.head = head;
    this.rules = rules;
    this.sessions = sessions;
    this.notes = head.notes;
    this.found = found;
    for (const rows of blocks) this.#addRows(rows);
    for (const finding of findings) this.#addFinding(finding);
  }

  /** Number of rows. */
  get count(): number {
    return this.#rows.size;
  }

  get rows(): MapIterator<Row> {
    return this.#rows.values();
  }

  row(number: number | undefined): Row | undefined {
    return this.#rows.get(number ?? -1);
  }

  /** The names of all messages, sorted. */
  get names(): readonly string[] {
    return [...new Set([...this.rows].map(({ name }) => name))].filter(Boolean).sort();
  }

  /**
   * Returns whether a request is still waiting for its response. In some protocols, requests are
   * answered by events.
   */
  isOpen({ kind, name, partner }: Row): boolean {
    const { payloads, unanswered } = this.head.state;
    const isAnswered = partner !== undefined || payloads.response === "";
    return kind === "request" && !isAnswered && !unanswered.includes(name);
  }

  /** Hides the findings of the given rules. */
  mute(rules: readonly string[]): void {
    this.#muted = new Set(rules);
  }

  /** Number of findings on the page. */
  get listed(): number {
    return this.#findings.length;
  }

  /** The findings, without those of hidden rules. */
  get findings(): readonly PageFinding[] {
    return this.#shown(this.#findings);
  }

  /** Returns a row's findings, without those of hidden rules. */
  findingsOf({ findings }: Row): readonly PageFinding[] {
    return this.#shown(findings);
  }

  /** Returns the highest severity among a row's findings. */
  worstOf(row: Row): PageSeverity | undefined {
    if (row.findings.length === 0) return undefined;
    const findings = this.findingsOf(row);
    return severities.find((severity) => findings.some((each) => each.severity === severity));
  }

  /**
   * Adds an update to a live page. Its rows either become a new block or are appended to the last
   * one.
   */
  add({ rows, findings, sessions }: LiveUpdate, isJoined: boolean): void {
    this.#addRows(rows, isJoined);
    this.found += findings.length;
    for (const finding of findings) this.#addFinding(finding);
    if (sessions.length > 0) this.sessions = sessions;
  }

  /** Removes the oldest block, along with its findings. */
  dropFirst(): void {
    const rows = this.blocks.shift() ?? [];
    this.dropped += rows.length;
    for (const { number } of rows) this.#rows.delete(number);
    this.#findings = this.#findings.filter(({ row }) => row < 0 || this.#rows.has(row));
  }

  #shown(findings: readonly PageFinding[]): readonly PageFinding[] {
    return this.#muted.size === 0
      ? findings
      : findings.filter(({ rule }) => !this.#muted.has(rule));
  }

  #addRows(added: readonly PageRow[], isJoined = false): void {
    if (added.length === 0) return;
    // The rows belong to the store, and copies of 200,000 would take as long as parsing them.
    const rows = added.map((row): Row => Object.assign(row, { findings: [] }));
    if (isJoined) this.blocks.at(-1)!.push(...rows);
    else this.blocks.push(rows);
    for (const row of rows) {
      this.#rows.set(row.number, row);
      if (isMessageKind(row.kind)) this.messages++;
      const request = this.row(row.answers);
      if (request === undefined) continue;
      row.partner = request;
      if (request.partner !== undefined) continue;
      request.partner = row;
      request.latency = row.latency;
    }
  }

  #addFinding(finding: PageFinding): void {
    this.#findings.push(finding);
    this.row(finding.row)?.findings.push(finding);
  }
}

export function isMessageKind(kind: RowKind): boolean {
  return kind === "request" || kind === "response" || kind === "event" || kind === "other";
}
