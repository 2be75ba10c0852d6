import {
  LintSession,
  readRecording,
  type LintFinding,
  type LintedProtocol,
  type RecordedEntry,
  printRecording,
} from "wirewright";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import type { AnyMessage, Wire } from "../session/wire.js";
import { join } from "node:path";

/**
 * Returns the recorded entries of a stream. A stream that contains no message becomes a single
 * noise entry.
 */
function receivedEntries(
  bytes: Buffer,
  side: "adapter" | "client",
  protocol: LintedProtocol,
): RecordedEntry[] {
  if (bytes.length === 0) return [];
  try {
    return readRecording([{ name: side, bytes }], protocol).map((entry) => {
      const { fault, offset } = entry;
      if (fault?.code !== "ERR_NOISE" || offset === undefined) return entry;
      const message = `${fault.message}: ${JSON.stringify(bytes.toString("utf8", offset, offset + 60))}`;
      return { ...entry, fault: { ...fault, message } };
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_JSON") throw error;
    const message = bytes.toString("utf8", 0, 80);
    return [{ from: side, fault: { code: "ERR_NOISE", message } } as RecordedEntry];
  }
}

/**
 * Returns a connection's messages as recording entries. Messages from `side` also list the quirks
 * in their bytes.
 */
export function entriesOf(
  wire: Pick<Wire, "chunks" | "trace">,
  protocol: LintedProtocol,
  side: "adapter" | "client" = "adapter",
): readonly RecordedEntry[] {
  const bytes = Buffer.concat(wire.chunks);
  const received = receivedEntries(bytes, side, protocol);
  const entries: RecordedEntry[] = [];
  for (const { from, message, time } of wire.trace) {
    if (from !== side) {
      entries.push({ from, message, time });
      continue;
    }
    while (received.length > 0 && received[0]!.message === undefined)
      entries.push({ ...received.shift()!, from: side, time });
    entries.push({ ...received.shift(), from, message, time });
  }
  return [...entries, ...received.filter(({ message }) => message === undefined)];
}

/**
 * Returns the lint findings in a session that are the adapter's responsibility. Nothing is held
 * against the adapter after the suite itself has broken a rule.
 */
export function findingsAboutAdapter(
  wire: Wire,
  protocol: LintedProtocol,
): readonly AdapterFinding[] {
  const { entries, findings } = lintWire(wire, protocol, "adapter");
  const broken = findings.find(({ rule }) => breaking.has(rule))?.index ?? Infinity;
  const overtake = onlyOvertake(
    wire.trace.filter(({ from }) => from === "adapter").map(({ message }) => message["seq"]),
  );
  const judged = findings.filter((finding) => {
    const { rule, from, index } = finding;
    const { message } = entries[index - 1] ?? {};
    // Lint attributes an unanswered request to the client, although the adapter is responsible for
    // the missing response.
    return (
      index < broken &&
      (from === "adapter" || rule === "request.unanswered") &&
      !isWithoutFile(finding, message) &&
      !isWithoutBody(finding, message) &&
      !(rule === "number.order" && overtake)
    );
  });
  return judged.map((finding) =>
    isOvertaking(finding, entries)
      ? {
          ...finding,
          message: `${finding.message.replace(/\.$/, "")}, which has the lower number`,
          isOvertaking: true,
        }
      : finding,
  );
}

export interface AdapterFinding extends LintFinding {
  /** Whether a stop came before a response that the adapter had numbered before it. */
  readonly isOvertaking?: true;
}

/**
 * Returns whether a stop that came before a response has the higher number. Then, several threads
 * wrote at the same time, and the order differs between runs.
 */
function isOvertaking(
  { rule, index }: LintFinding,
  entries: readonly { readonly from?: string; readonly message?: AnyMessage }[],
): boolean {
  const number = Number(entries[index - 1]?.message?.["seq"]);
  return (
    rule.startsWith("stopped.before-") &&
    entries
      .slice(index)
      .some(
        ({ from, message }) =>
          from === "adapter" &&
          message?.["type"] === "response" &&
          message["seq"] > 0 &&
          message["seq"] < number,
      )
  );
}

/** Lints the messages of both sides, as far as they are whole. */
export function lintWire(
  wire: Pick<Wire, "chunks" | "trace">,
  protocol: LintedProtocol,
  side: "adapter" | "client",
): { readonly entries: readonly RecordedEntry[]; readonly findings: readonly LintFinding[] } {
  // Ignore a message that is cut off at the end of the stream: either the suite ended the stream,
  // or the other side crashed, which another check judges.
  const entries = entriesOf(wire, protocol, side).filter(
    ({ fault }) => fault?.code !== "ERR_TRUNCATED",
  );
  const findings: LintFinding[] = [];
  const session = new LintSession(protocol, {
    isFromStart: true,
    onFinding: (finding) => findings.push(finding),
  });
  for (const { line: _, session: _session, ...entry } of entries) session.push(entry);
  session.end();
  return { entries, findings };
}

/** Rules that cases break on purpose, to see what an adapter makes of it. */
export const breaking: ReadonlySet<string> = new Set([
  "filter.unknown",
  "opening.twice",
  "reference.expired",
]);

/**
 * Returns whether a finding concerns a failure without a body. The schema requires one, but the
 * specification says only that a response "can provide" it.
 */
function isWithoutBody({ rule, pointer }: LintFinding, message: AnyMessage | undefined): boolean {
  return rule === "schema.deviation" && pointer === "/body" && message?.["success"] === false;
}

/**
 * Returns whether sequence numbers are out of order only because several threads wrote at the same
 * time: each number occurs once, at most three places from its position in sorted order. Such
 * disorder differs between runs, so it is not judged.
 */
function onlyOvertake(numbers: readonly unknown[]): boolean {
  const places = new Map(numbers.map((number, index) => [number, index]));
  const sorted = numbers.toSorted((a, b) => Number(a) - Number(b));
  return (
    places.size === numbers.length &&
    sorted.every((number, index) => Math.abs(places.get(number)! - index) <= 3)
  );
}

/**
 * Returns whether a finding concerns the position of a stack frame whose source file does not
 * exist. Such a position may be 0.
 */
function isWithoutFile({ rule, pointer }: LintFinding, message: AnyMessage | undefined): boolean {
  const index = /^\/body\/stackFrames\/(\d+)\/(?:line|column)$/.exec(pointer)?.[1];
  if (!rule.startsWith("position.") || index === undefined) return false;
  const source = message?.["body"]?.stackFrames?.[Number(index)]?.source;
  return (
    typeof source?.path === "string" && !(source.sourceReference > 0) && !existsSync(source.path)
  );
}

/**
 * Writes each of a case's connections as a recording. Line 1 is the head, and line n + 1 is message
 * n in the results, unless the adapter has sent bytes that do not belong to a message.
 */
export function writeRecordings(
  folder: string,
  name: string,
  wires: readonly Pick<Wire, "chunks" | "trace">[],
  protocol: LintedProtocol,
  side: "adapter" | "client" = "adapter",
): void {
  mkdirSync(folder, { recursive: true });
  wires.forEach((wire, index) => {
    const text = printRecording(entriesOf(wire, protocol, side), protocol);
    writeFileSync(join(folder, `${name}${index === 0 ? "" : `-${index + 1}`}.jsonl`), text);
  });
}
