import { isObject, ownField } from "../../../runtime/protocol/message-fields.js";
import { type Fields, payloadFieldOf } from "../../read/message-reader.js";
import type { OpenProtocol } from "../open-protocol.js";
import { openRecordingFiles } from "../../read/recording-files.js";
import type { HostTable } from "../host-table.js";
import { type FindingGroup, FindingGroups, keyOfFinding } from "../kept-findings.js";
import { judgeRecording } from "../judge-recording.js";
import type { Severity } from "../../../generator/base/severity.js";
import { fingerprintOf } from "../../../generator/print/sarif-log.js";
import type { RecordedEntry } from "../../read/recording.js";

/** Settings for checking recordings. */
export interface BatchSettings {
  readonly protocol: OpenProtocol;
  readonly dialect?: string | undefined;
  readonly profile: "wire" | "strict";
  readonly host?: HostTable | undefined;
  readonly severities: ReadonlyMap<string, Severity | "off">;
}

/** Identical findings about the same adapter in one recording. */
export interface BatchGroup extends FindingGroup {
  readonly adapter: string;
  /** A key that identical findings in different recordings share. */
  readonly fingerprint: string;
}

/** The findings in a recording. */
export interface FileVerdict {
  readonly file: string;
  readonly messages: number;
  readonly counts: Readonly<Record<Severity, number>>;
  readonly groups: readonly BatchGroup[];
  /** Number of findings omitted from `groups` because there were too many, by rule. */
  readonly others: readonly (readonly [rule: string, count: number])[];
}

/**
 * Checks a recording.
 *
 * @throws InputError if it cannot be read.
 */
export async function judgeFile(
  file: string,
  { protocol, dialect, profile, host, severities }: BatchSettings,
): Promise<FileVerdict> {
  const recording = await openRecordingFiles([file], protocol, { dialect });
  const adapters = new Map<number, string>();
  const groups = new Map<string, FindingGroups>();
  const { messages, counts } = await judgeRecording(recording, protocol, {
    name: file,
    profile,
    severities,
    host,
    rules: protocol.sessionRules,
    viewer: {
      onEntry: (entry, message) => {
        const { session = 1 } = entry;
        if (message === undefined || message.kind !== "request" || adapters.has(session)) return;
        const name = adapterOf(entry, message.name, protocol);
        if (name !== undefined) adapters.set(session, name);
      },
      onFinding: (finding) => {
        const adapter = adapters.get(finding.session ?? 1) ?? "";
        const ofAdapter = groups.get(adapter) ?? new FindingGroups();
        groups.set(adapter, ofAdapter);
        ofAdapter.add(finding);
      },
    },
  });
  return {
    file,
    messages,
    counts,
    groups: [...groups].flatMap(([adapter, { list }]) =>
      list.map((group) => ({
        ...group,
        adapter,
        fingerprint: fingerprintOf([protocol.name, adapter, keyOfFinding(group.first)]).slice(
          0,
          16,
        ),
      })),
    ),
    others: [...groups.values()].flatMap(({ ungrouped }) => [...ungrouped]),
  };
}

/** Returns the adapter's name if the given request contains it. */
function adapterOf(
  { message }: RecordedEntry,
  request: string | undefined,
  { sessionRules, envelope }: OpenProtocol,
): string | undefined {
  const named = sessionRules?.adapter;
  if (named === undefined || request !== named.request) return undefined;
  const payload = (message as Fields)[payloadFieldOf(envelope, "request")];
  const name = isObject(payload) ? ownField(payload, named.argument) : undefined;
  return typeof name === "string" ? name.slice(0, 100) : undefined;
}
