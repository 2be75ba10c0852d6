import {
  LintSession,
  readRecording,
  type LintFinding,
  type LintedProtocol,
  type RecordedEntry,
} from "../../generator/index.js";
import type { Wire } from "../session/wire.js";

/** The messages of a connection as entries of a recording, with what is peculiar about the adapter's bytes. */
export function entriesOf(wire: Wire, protocol: LintedProtocol): readonly RecordedEntry[] {
  const bytes = Buffer.concat(wire.chunks);
  const received =
    bytes.length === 0 ? [] : [...readRecording([{ name: "adapter", bytes }], protocol)];
  const entries: RecordedEntry[] = [];
  for (const { from, message, time } of wire.trace) {
    if (from === "client") {
      entries.push({ from, message, time });
      continue;
    }
    while (received.length > 0 && received[0]!.message === undefined)
      entries.push({ ...received.shift()!, from, time });
    entries.push({ ...received.shift(), from, message, time });
  }
  return [...entries, ...received.filter(({ message }) => message === undefined)];
}

/** What lint finds about the adapter in a session. */
export function findingsAboutAdapter(wire: Wire, protocol: LintedProtocol): readonly LintFinding[] {
  const findings: LintFinding[] = [];
  const session = new LintSession(protocol, {
    isFromStart: true,
    onFinding: (finding) => {
      if (finding.from === "adapter") findings.push(finding);
    },
  });
  for (const { line: _, session: _session, ...entry } of entriesOf(wire, protocol))
    session.push(entry);
  session.end();
  return findings;
}
