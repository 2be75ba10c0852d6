import type { TreeSession } from "../../exchanges/session-tree.js";
import {
  rowKinds,
  type LiveUpdate,
  type PageData,
  type PageFinding,
  type PageHead,
  type RowBlock,
  type RowColumns,
  type RowKind,
} from "../page-data.js";
import type { MessageSource } from "./page-messages.js";
import { RowFindings } from "./row-findings.js";

/** A row to display. */
export interface Row {
  readonly number: number;
  readonly kind: RowKind;
  /** Index into the roles. Undefined if the sender is unknown. */
  readonly from: 0 | 1 | undefined;
  readonly name: string;
  readonly session: number;
  readonly index: number;
  readonly id: number | string;
  readonly hasFailed: boolean;
  readonly time: number | undefined;
  /** Milliseconds between a request and its response. Both of their rows have this value. */
  readonly latency: number | undefined;
  /** Row of a request's response, or of a response's request, or -1 if there is none. */
  readonly partner: number;
  readonly size: number;
  readonly line: number;
  readonly summary: string;
  readonly unknown: readonly string[];
  readonly findings: readonly PageFinding[];
}

/** Limits for a live page. A page that exceeds them removes its oldest messages. */
export const liveLimits = { rows: 100_000, length: 96 * 1024 * 1024, findings: 20_000 };

/** The rows of a recording, along with their findings. */
export class SessionStore {
  readonly head: PageHead;
  readonly names: string[] = [];
  readonly rules: Readonly<Record<string, string>>;
  readonly findings: RowFindings;
  readonly notes: string[];
  sessions: readonly TreeSession[];
  /** Number of rows that a live page has removed. */
  dropped = 0;
  /** Number of messages in all rows, including those that have been removed. */
  messages = 0;
  readonly blocks: RowColumns[] = [];
  /** Number of rows. */
  count = 0;
  readonly #answers = new Map<number, number>();

  constructor(data: PageData) {
    const { head, blocks, sessions, rules } = data;
    this.head = head;
    this.rules = rules;
    this.sessions = sessions;
    this.notes = [...head.notes];
    for (const block of blocks) this.#addBlock(block);
    this.findings = new RowFindings(data, head.isLive === true ? liveLimits.findings : Infinity);
  }

  /** Returns the index of the block that contains a row, or -1 if the row is not on the page. */
  blockOf(row: number): number {
    let low = 0;
    let high = this.blocks.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const { first, kind } = this.blocks[middle]!;
      if (row < first) high = middle - 1;
      else if (row >= first + kind.length) low = middle + 1;
      else return middle;
    }
    return -1;
  }

  has(row: number): boolean {
    return this.blockOf(row) >= 0;
  }

  /** Returns the row of the response to a request, or -1 if there is none. */
  answerOf(request: number): number {
    return this.#answers.get(request) ?? -1;
  }

  /** Returns the milliseconds from a request to its response, given the row of either. */
  latencyOf(row: number): number | undefined {
    const columns = this.blocks[this.blockOf(row)];
    if (columns === undefined) return undefined;
    const latency = columns.latency[row - columns.first];
    if (latency !== null && latency !== undefined) return latency;
    const answer = this.answerOf(row);
    const answering = answer < 0 ? undefined : this.blocks[this.blockOf(answer)];
    return answering?.latency[answer - answering.first] ?? undefined;
  }

  /** Returns the time at which a row was sent, in milliseconds, or undefined if it is unknown. */
  timeOf(row: number): number | undefined {
    const columns = this.blocks[this.blockOf(row)];
    return columns?.time[row - columns.first] ?? undefined;
  }

  /**
   * Returns whether a request is still waiting for its response. In some protocols, requests are
   * answered by events.
   */
  isOpen(request: number): boolean {
    const columns = this.blocks[this.blockOf(request)];
    const { payloads, unanswered } = this.head.state;
    if (columns === undefined || payloads.response === "" || this.answerOf(request) >= 0)
      return false;
    return !unanswered.includes(this.names[columns.name[request - columns.first]!] ?? "");
  }

  /** Returns whether a row is the response to a request that failed. */
  hasFailed(row: number): boolean {
    const columns = this.blocks[this.blockOf(row)];
    return columns?.failed[row - columns.first] === 1;
  }

  row(number: number): Row | undefined {
    const columns = this.blocks[this.blockOf(number)];
    if (columns === undefined) return undefined;
    const position = number - columns.first;
    const name = columns.name[position]!;
    const answers = columns.answers[position]!;
    const partner = answers >= 0 ? answers : this.answerOf(number);
    return {
      number,
      kind: rowKinds[columns.kind[position]!]!,
      from: ([0, 1] as const)[columns.from[position]!],
      name: name < 0 ? "" : (this.names[name] ?? ""),
      session: columns.session[position]!,
      index: columns.index[position]!,
      id: columns.id[position]!,
      hasFailed: columns.failed[position] === 1,
      time: columns.time[position] ?? undefined,
      latency: this.latencyOf(number),
      partner: this.has(partner) ? partner : -1,
      size: columns.size[position]!,
      line: columns.line[position]!,
      summary: columns.summary[position]!,
      unknown: columns.unknown[position] ?? [],
      findings: this.findings.of(number),
    };
  }

  /**
   * Returns a message's row, given its session and its number within that session, or -1 if the
   * page does not contain the message.
   */
  find(session: number, index: number): number {
    for (const columns of this.blocks) {
      for (let position = 0; position < columns.kind.length; position++)
        if (
          columns.index[position] === index &&
          columns.session[position] === session &&
          isMessageKind(rowKinds[columns.kind[position]!]!)
        )
          return columns.first + position;
    }
    return -1;
  }

  /**
   * Adds an update to a live page. Its rows either become a new block or are appended to the last
   * one.
   */
  add({ block, findings, sessions }: LiveUpdate, isJoined: boolean): void {
    this.#addBlock(block, isJoined);
    for (const finding of findings) this.findings.add(finding);
    if (sessions.length > 0) this.sessions = sessions;
  }

  /** Removes the oldest block. */
  dropFirst(): void {
    const columns = this.blocks.shift();
    if (columns === undefined) return;
    const end = columns.first + columns.kind.length;
    this.count -= columns.kind.length;
    this.dropped += columns.kind.length;
    for (let row = columns.first; row < end; row++) {
      this.#answers.delete(row);
      this.findings.forget(row);
    }
  }

  #addBlock({ rows, names }: RowBlock, isJoined = false): void {
    this.names.push(...names);
    if (rows.kind.length === 0) return;
    if (isJoined) joinColumns(this.blocks.at(-1)!, rows);
    else this.blocks.push(rows);
    this.count += rows.kind.length;
    for (const kind of rows.kind) if (isMessageKind(rowKinds[kind]!)) this.messages++;
    for (let position = 0; position < rows.answers.length; position++) {
      const request = rows.answers[position]!;
      if (request >= 0 && !this.#answers.has(request))
        this.#answers.set(request, rows.first + position);
    }
  }
}

export function isMessageKind(kind: RowKind): boolean {
  return kind === "request" || kind === "response" || kind === "event" || kind === "other";
}

/** Returns a row's message as JSON. */
export async function messageOf(
  store: SessionStore,
  source: MessageSource,
  row: number,
): Promise<string | undefined> {
  const block = store.blockOf(row);
  if (block < 0) return undefined;
  const { first } = store.blocks[block]!;
  return (await source.read(block))[row - first];
}

/** Appends columns to other columns in place. */
function joinColumns(columns: RowColumns, more: RowColumns): void {
  const offset = columns.kind.length;
  for (const [name, values] of Object.entries(more))
    if (Array.isArray(values)) (columns[name as keyof RowColumns] as unknown[]).push(...values);
  for (const name of ["unknown", "moves"] as const)
    for (const [position, value] of Object.entries(more[name]))
      (columns[name] as Record<number, unknown>)[Number(position) + offset] = value;
}
