import {
  InputError,
  type InputErrorCode,
  type InputPlace,
} from "../../../generator/base/input-error.js";
import { openProtocol, type OpenProtocol } from "../open-protocol.js";
import { openRecordingFiles } from "../../read/recording-files.js";
import { readHost, type HostTable } from "../host-table.js";
import { type FindingGroup, FindingGroups, keyOfFinding } from "../kept-findings.js";
import { judgeRecording } from "../judge-recording.js";
import type { Severity } from "../../../generator/base/severity.js";
import { fingerprintOf } from "../../../generator/print/sarif-log.js";
import type { RecordedEntry } from "../../read/recording.js";

/**
 * Settings for checking recordings. They must be plain data, because they are sent to worker
 * threads.
 */
export interface BatchSettings {
  readonly protocol: string;
  readonly version?: string | undefined;
  readonly schema?: readonly string[] | undefined;
  readonly dialect?: string | undefined;
  readonly profile: "wire" | "strict";
  readonly host?: string | undefined;
  readonly severities: ReadonlyMap<string, Severity | "off">;
}

/** Identical findings about the same adapter in one recording. */
export interface BatchGroup extends FindingGroup {
  readonly adapter: string;
  /** A key that identical findings in different recordings share. */
  readonly fingerprint: string;
}

/** The findings in a recording, or the error if it cannot be read. */
export interface FileVerdict {
  readonly file: string;
  readonly messages: number;
  readonly counts: Readonly<Record<Severity, number>>;
  readonly groups: readonly BatchGroup[];
  /** Number of findings omitted from `groups` because there were too many, by rule. */
  readonly others: readonly (readonly [rule: string, count: number])[];
  readonly error?: {
    readonly code: InputErrorCode;
    readonly message: string;
    readonly place: InputPlace;
    readonly hint: string | undefined;
  };
}

/** Checks recordings, one at a time. */
export class FileJudge {
  readonly #settings: BatchSettings;
  readonly #protocol: OpenProtocol;
  readonly #host: HostTable | undefined;

  private constructor(
    settings: BatchSettings,
    protocol: OpenProtocol,
    host: HostTable | undefined,
  ) {
    this.#settings = settings;
    this.#protocol = protocol;
    this.#host = host;
  }

  static async open(settings: BatchSettings): Promise<FileJudge> {
    const { version, schema } = settings;
    const protocol = await openProtocol(settings.protocol, {
      ...(version === undefined ? {} : { version }),
      ...(schema === undefined ? {} : { schema }),
    });
    const host =
      settings.host === undefined ? undefined : await readHost(settings.host, protocol.source);
    return new FileJudge(settings, protocol, host);
  }

  async judge(file: string): Promise<FileVerdict> {
    try {
      return await this.#judge(file);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const { code, message, place, hint } = error;
      return {
        file,
        messages: 0,
        counts: { error: 0, warning: 0, info: 0 },
        groups: [],
        others: [],
        error: { code, message, place, hint },
      };
    }
  }

  async #judge(file: string): Promise<FileVerdict> {
    const { profile, severities, dialect } = this.#settings;
    const recording = await openRecordingFiles([file], this.#protocol, { dialect });
    const adapters = new Map<number, string>();
    const groups = new Map<string, FindingGroups>();
    const { messages, counts } = await judgeRecording(recording, this.#protocol, {
      name: file,
      profile,
      severities,
      host: this.#host,
      rules: this.#protocol.sessionRules,
      viewer: {
        onEntry: (entry, message) => {
          const { session = 1 } = entry;
          if (message === undefined || message.kind !== "request" || adapters.has(session)) return;
          const name = this.#adapterOf(entry, message.name);
          if (name !== undefined) adapters.set(session, name);
        },
        onFinding: (finding) => {
          const adapter = adapters.get(finding.session ?? 1) ?? "";
          const own = groups.get(adapter) ?? new FindingGroups();
          groups.set(adapter, own);
          own.add(finding);
        },
      },
    });
    const { name } = this.#protocol;
    return {
      file,
      messages,
      counts,
      groups: [...groups].flatMap(([adapter, own]) =>
        own.list.map((group) => ({
          ...group,
          adapter,
          fingerprint: fingerprintOf([name, adapter, keyOfFinding(group.first)]).slice(0, 16),
        })),
      ),
      others: [...groups.values()].flatMap(({ ungrouped }) => [...ungrouped]),
    };
  }

  /** Returns the adapter's name if the given request contains it. */
  #adapterOf({ message }: RecordedEntry, request: string | undefined): string | undefined {
    const { sessionRules, envelope } = this.#protocol;
    const named = sessionRules?.adapter;
    if (named === undefined || request !== named.request) return undefined;
    const asked = (message as Readonly<Record<string, unknown>>)[envelope.request.payload ?? ""];
    const found =
      typeof asked === "object" && asked !== null && Object.hasOwn(asked, named.argument)
        ? (asked as Readonly<Record<string, unknown>>)[named.argument]
        : undefined;
    return typeof found === "string" ? found.slice(0, 100) : undefined;
  }
}
