import { basename } from "node:path";
import { deflateRawSync } from "node:zlib";
import { checkArguments, protocolModel } from "../../../generator/base/check-arguments.js";
import { capabilitySourcesOf } from "../../../generator/model/capability-sources.js";
import { isUnanswered, requestsOf } from "../../../generator/model/queries.js";
import * as option from "../../../runtime/base/check-options.js";
import type { HostTable } from "../../judge/host-table.js";
import { type RecordingViewer, judgeRecording } from "../../judge/judge-recording.js";
import type { LintedMessage, LintedProtocol } from "../../judge/lint-options.js";
import { openProtocol, type OpenProtocol } from "../../judge/open-protocol.js";
import type { LintReport } from "../../judge/report.js";
import { listRules, type LintFinding, type LintRule } from "../../judge/rules.js";
import type { LintProfile } from "../../judge/session-state.js";
import type { RecordedEntry } from "../../read/recorded-entry.js";
import { type LogSummary, logTexts } from "../../read/log/log-summary.js";
import { payloadFieldOf } from "../../read/message-reader.js";
import { namesOf, openRecordingFiles } from "../../read/recording-files.js";
import { recordingHead } from "../../read/recorded-lines.js";
import { alignRecordings, type AlignedUnit, MeaningKeys } from "./align-sessions.js";
import { printInspectorPage } from "./inspector-page.js";
import type { PageData, PageFinding, PageHead, PageRow, PageStateTable } from "./page-data.js";
import { RowCollector, type RowBlock } from "./row-collector.js";

/** Information about how a recording was made. */
interface RecordingKnowledge {
  /** Whether the recording contains messages from only one side. */
  readonly isOneSided?: boolean;
  /** Whether the relative order of messages from different sides was guessed. */
  readonly isOrderGuessed?: boolean;
  /** The contents of the log. Absent for other recordings. */
  readonly log?: LogSummary | undefined;
}

/** Builds the page for a recording while the rules check that recording. */
export class RecordingPage implements RecordingViewer {
  readonly #protocol: LintedProtocol;
  readonly #collector: RowCollector;
  readonly #blocks: PageBlocks;
  readonly #rules = new Set<string>();
  /** Requests and events with their meaning keys, for comparing this page with another. */
  readonly #units: AlignedUnit[] = [];
  readonly #unitOf = new Map<number, AlignedUnit>();
  readonly #keys: MeaningKeys | undefined;

  /** @param isCompared Whether the page will be compared with another one. */
  constructor(protocol: LintedProtocol, limits?: PageLimits, isCompared = false) {
    this.#protocol = protocol;
    this.#keys = isCompared ? new MeaningKeys(protocol) : undefined;
    this.#blocks = new PageBlocks(limits);
    this.#collector = new RowCollector(protocol, (block) => this.#blocks.add(block));
  }

  onEntry(entry: RecordedEntry, message?: LintedMessage): void {
    const row = this.#collector.push(entry, message);
    if (this.#keys !== undefined && message !== undefined)
      this.#addUnit(this.#keys, row, entry.message!, message);
  }

  onFinding(finding: LintFinding): void {
    this.#rules.add(finding.rule);
    this.#collector.find(finding);
  }

  /** Returns the page. Must be called only after the whole recording has been checked. */
  print(
    report: LintReport,
    rules: ReadonlyMap<string, LintRule>,
    recording: RecordingKnowledge = {},
  ): string {
    return printInspectorPage(this.#data(report, rules, recording), this.#messages);
  }

  /**
   * Prints a page with two recordings side by side.
   *
   * @param right The second recording. Its page must have been created with `isCompared`.
   */
  static printComparison(left: JudgedPage, right: JudgedPage): string {
    const pairs = alignRecordings(left.page.#units, right.page.#units);
    const [data, other] = [left, right].map(({ page, report, rules, recording }) =>
      page.#data(report, rules, recording),
    ) as [PageData, PageData];
    return printInspectorPage(
      { ...data, comparison: { other, pairs } },
      left.page.#messages,
      right.page.#messages,
    );
  }

  get #messages(): readonly Uint8Array[] {
    return this.#blocks.list.map(({ data }) => data);
  }

  #data(
    { file, version, profile, host, counts }: LintReport,
    rules: ReadonlyMap<string, LintRule>,
    recording: RecordingKnowledge,
  ): PageData {
    this.#collector.flush();
    const { list, leftOut } = this.#blocks;
    const omission =
      leftOut === 0
        ? []
        : [
            `${leftOut.toLocaleString("en")} rows in the middle were omitted, because the page is full.`,
          ];
    const head: PageHead = {
      ...pageHeadOf(this.#protocol, file, [...notesOf(recording), ...omission]),
      version,
      profile,
      host,
    };
    return {
      head,
      blocks: list.map(({ rows }) => rows),
      findings: list.flatMap(({ findings }) => findings),
      found: counts.error + counts.warning + counts.info,
      sessions: this.#collector.sessions,
      rules: Object.fromEntries(
        [...this.#rules].map((rule) => [rule, rules.get(rule)?.docs ?? ""]),
      ),
    };
  }

  #addUnit(keys: MeaningKeys, row: PageRow, value: object, message: LintedMessage): void {
    const { kind, from } = message;
    const { number, session, name, answers = -1, hasFailed } = row;
    if (kind === "none") return;
    const key = keys.keyOf(value, kind);
    if (kind === "response") {
      const request = this.#unitOf.get(answers);
      if (request !== undefined) request.answer = hasFailed ? "failed" : key;
      return;
    }
    const unit: AlignedUnit = { row: number, session, name: `${from} ${kind} ${name}`, key };
    this.#units.push(unit);
    this.#unitOf.set(number, unit);
  }
}

/** A page, along with the findings in its recording. */
export interface JudgedPage {
  readonly page: RecordingPage;
  readonly report: LintReport;
  readonly rules: ReadonlyMap<string, LintRule>;
  readonly recording: RecordingKnowledge;
}

/** Returns the parts of a page that are the same for every session of a protocol. */
export function pageHeadOf(
  protocol: LintedProtocol,
  title: string,
  notes: readonly string[],
): PageHead {
  const { name, version, roles } = protocol;
  return {
    form: 1,
    title,
    protocol: name,
    version,
    profile: "wire",
    roles,
    notes,
    state: stateTableOf(protocol),
    recordingHead: recordingHead(protocol, {}).trimEnd(),
  };
}

function stateTableOf(protocol: LintedProtocol): PageStateTable {
  const { envelope, sessionRules } = protocol;
  return {
    groups: sessionRules?.state?.groups ?? [],
    capabilities: Object.entries(capabilitySourcesOf(protocol)).map(
      ([role, { request, part, field, update }]) => ({
        role,
        message: `${part === "payload" ? "request" : "success"} ${request}`,
        field,
        update: update && { message: `event ${update.event}`, field: update.field },
      }),
    ),
    payloads: {
      request: payloadFieldOf(envelope, "request"),
      response: payloadFieldOf(envelope, "response"),
      event: payloadFieldOf(envelope, "event"),
    },
    unanswered: requestsOf(protocol)
      .filter(isUnanswered)
      .map(({ name }) => name),
  };
}

function notesOf({ isOneSided, isOrderGuessed, log }: RecordingKnowledge): readonly string[] {
  return [
    ...(isOneSided === true ? ["The recording contains messages from only one side."] : []),
    ...(isOrderGuessed === true
      ? [
          "The two sides were recorded separately, so the relative order of messages from different sides is a guess.",
        ]
      : []),
    ...logTexts(log),
  ];
}

/** Options for `printRecordingPage`. */
export interface RecordingPageOptions {
  /** How strict validation is. Default: `wire`. */
  readonly profile?: LintProfile;
  /** Name of the dialect used by the messages. */
  readonly dialect?: string | undefined;
  /** The roles that sent the messages in a log, by a part of the words in front of them. */
  readonly senders?: Readonly<Record<string, string>> | undefined;
  /** The host to check for. The session is then also checked against this host's rules. */
  readonly host?: HostTable | undefined;
  /** Called regularly with the number of bytes and messages read so far. */
  readonly onProgress?: (messages: number, bytes: number) => void;
}

const checks: option.OptionChecks<RecordingPageOptions> = {
  profile: option.oneOf("wire", "strict"),
  dialect: option.text,
  senders: option.object,
  host: option.object,
  onProgress: option.callback,
};

/**
 * Prints the page for a recorded session, as `wirewright view` does. The page is a single
 * self-contained HTML file.
 *
 * @param files A recording, or its two directions.
 * @param protocol A bundled protocol, such as `dap`, or the result of `openProtocol`.
 * @throws TypeError for an unknown option. InputError if a file cannot be read.
 */
export async function printRecordingPage(
  files: readonly string[],
  protocol: string | OpenProtocol,
  options: RecordingPageOptions = {},
): Promise<string> {
  option.checkOptions("printRecordingPage", options, checks);
  checkArguments("printRecordingPage", {
    files: [files, option.listOf(option.anything)],
    protocol: [protocol, option.either(option.text, protocolModel)],
  });
  const opened = typeof protocol === "string" ? await openProtocol(protocol) : protocol;
  const { page, report, rules, recording } = await judgePage(files, opened, options);
  return page.print(report, rules, recording);
}

/**
 * Checks a recorded session and builds its page.
 *
 * @param isCompared Whether the page will show another session next to this one.
 */
export async function judgePage(
  files: readonly string[],
  protocol: OpenProtocol,
  { profile = "wire", dialect, senders, host, onProgress = () => undefined }: RecordingPageOptions,
  isCompared = false,
): Promise<JudgedPage> {
  const { sessionRules: rules } = protocol;
  const recording = await openRecordingFiles(files, protocol, { dialect, senders });
  const page = new RecordingPage(protocol, undefined, isCompared);
  const report = await judgeRecording(recording, protocol, {
    name: namesOf(files)
      .map((file) => basename(file))
      .join(" "),
    profile,
    rules,
    host,
    severities: new Map(),
    viewer: page,
    onProgress,
  });
  return { page, report, rules: listRules(rules, host), recording };
}

/**
 * Maximum number of rows, and of bytes of compressed messages, on a page. Half of each is reserved
 * for the beginning of a recording and half for its end.
 */
export interface PageLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** The limits for a page. A browser opens a page of this size within seconds. */
const pageLimits: PageLimits = { rows: 200_000, bytes: 64 * 1024 * 1024 };

interface CompressedBlock {
  readonly rows: readonly PageRow[];
  readonly findings: PageFinding[];
  /** The block's compressed messages. */
  readonly data: Buffer;
}

/**
 * The rows of a page, their findings and their compressed messages. If a recording is too long, the
 * first half of the page holds its beginning and the second half its end.
 */
class PageBlocks {
  readonly #half: PageLimits;
  readonly #begin: CompressedBlock[] = [];
  readonly #end: CompressedBlock[] = [];
  readonly #used = { rows: 0, bytes: 0 };
  #isFull = false;
  /** Number of omitted rows. */
  leftOut = 0;

  constructor({ rows, bytes }: PageLimits = pageLimits) {
    this.#half = { rows: rows / 2, bytes: bytes / 2 };
  }

  add({ rows, messages, findings }: RowBlock): void {
    const last = this.#end.at(-1) ?? this.#begin.at(-1);
    if (rows.length === 0 && last !== undefined) return void last.findings.push(...findings);
    const data = deflateRawSync(Buffer.from(messages.join("\n")));
    const block = { rows, data, findings: [...findings] };
    this.#use(block, 1);
    if (!this.#isFull) {
      this.#begin.push(block);
      if (!this.#isOver()) return;
      this.#isFull = true;
      this.#used.rows = this.#used.bytes = 0;
      return;
    }
    this.#end.push(block);
    while (this.#isOver() && this.#end.length > 1) {
      const dropped = this.#end.shift()!;
      this.#use(dropped, -1);
      this.leftOut += dropped.rows.length;
    }
  }

  get list(): readonly CompressedBlock[] {
    return [...this.#begin, ...this.#end];
  }

  #use({ rows, data }: CompressedBlock, sign: 1 | -1): void {
    this.#used.rows += sign * rows.length;
    this.#used.bytes += sign * data.length;
  }

  #isOver(): boolean {
    return this.#used.rows >= this.#half.rows || this.#used.bytes >= this.#half.bytes;
  }
}
