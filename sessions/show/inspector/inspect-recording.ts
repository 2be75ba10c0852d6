import type { RecordingViewer } from "../../judge/judge-recording.js";
import type { LintedMessage, LintedProtocol } from "../../judge/lint-options.js";
import type { LintReport } from "../../judge/report.js";
import type { LintFinding, LintRule } from "../../judge/rules.js";
import { capabilitySourcesOf } from "../../../generator/model/capability-sources.js";
import { isUnanswered, requestsOf } from "../../../generator/model/queries.js";
import type { RecordedEntry } from "../../read/recorded-entry.js";
import { recordingHead } from "../../read/recorded-lines.js";
import { printInspectorPage } from "./inspector-page.js";
import { alignRecordings, type AlignedUnit } from "./align-sessions.js";
import { MeaningKeys } from "./meaning-keys.js";
import { PageBlocks, type PageLimits } from "./page-blocks.js";
import type { PageData, PageFinding, PageHead, PageStateTable } from "./page-data.js";
import { RowCollector } from "./row-collector.js";
import { UnlistedRows } from "./unlisted-rows.js";

/**
 * Maximum number of findings on a page, per rule and in total. Beyond that, the page contains only
 * the rows to which the findings belong.
 */
const maxOfRule = 10_000;
const maxFindings = 50_000;

/** Information about how a recording was made. */
export interface RecordingKnowledge {
  /** Whether the recording contains messages from only one side. */
  readonly isOneSided?: boolean;
  /** Whether the relative order of messages from different sides was guessed. */
  readonly isOrderGuessed?: boolean;
}

/** Builds the page for a recording while the rules check that recording. */
export class RecordingPage implements RecordingViewer {
  readonly #protocol: LintedProtocol;
  readonly #collector: RowCollector;
  readonly #blocks: PageBlocks;
  readonly #findings: PageFinding[] = [];
  readonly #counts = new Map<string, number>();
  readonly #unlisted = new UnlistedRows();
  /** Requests and events with their meaning keys, for comparing this page with another. */
  readonly #units: AlignedUnit[] = [];
  readonly #unitOf = new Map<string, AlignedUnit>();
  readonly #keys: MeaningKeys | undefined;

  /** @param isCompared Whether the page will be compared with another one. */
  constructor(protocol: LintedProtocol, limits?: PageLimits, isCompared = false) {
    this.#protocol = protocol;
    this.#keys = isCompared ? new MeaningKeys(protocol) : undefined;
    const blocks = new PageBlocks(limits);
    this.#blocks = blocks;
    this.#collector = new RowCollector(protocol, protocol.sessionRules, (block) =>
      blocks.add(block),
    );
  }

  onEntry(entry: RecordedEntry, message?: LintedMessage): void {
    if (this.#keys !== undefined && message !== undefined)
      this.#addUnit(this.#keys, entry, message);
    this.#collector.push(entry, message);
  }

  onFinding(finding: LintFinding): void {
    const { rule } = finding;
    const count = (this.#counts.get(rule) ?? 0) + 1;
    this.#counts.set(rule, count);
    const placed = this.#collector.place(finding);
    if (count > maxOfRule || this.#findings.length >= maxFindings) this.#unlisted.add(placed);
    else this.#findings.push(placed);
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
    const pairs = alignRecordings(left.page.#units, right.page.#units).map(
      (pair) =>
        [
          pair.left,
          pair.right,
          (pair.isChanged ? 1 : 0) + (pair.isOtherAnswer ? 2 : 0) + (pair.isMoved ? 4 : 0),
        ] as const,
    );
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
    const lost =
      leftOut === 0
        ? []
        : [
            `${leftOut.toLocaleString("en")} rows in the middle were omitted, because the page is full.`,
          ];
    const head: PageHead = {
      ...pageHeadOf(this.#protocol, file, [...notesOf(recording), ...lost]),
      version,
      profile,
      ...(host === undefined ? {} : { host }),
    };
    return {
      head,
      blocks: list.map(({ rows, names }) => ({ rows, names })),
      findings: this.#findings,
      counts,
      unlisted: this.#unlisted.list,
      sessions: this.#collector.tree.list,
      rules: docsOf(rules, this.#counts.keys()),
    };
  }

  #addUnit(keys: MeaningKeys, entry: RecordedEntry, message: LintedMessage): void {
    const { kind, name = "", from, index, answers } = message;
    const { session = 0, message: value } = entry;
    if (kind === "none") return;
    if (kind === "response") {
      const asked = this.#unitOf.get(`${session} ${answers}`);
      if (asked !== undefined)
        asked.answer = message.hasFailed ? "failed" : keys.keyOf(value!, kind);
      return;
    }
    const key = keys.keyOf(value!, kind);
    const row = this.#collector.count;
    const unit: AlignedUnit = { row, session, name: `${from} ${kind} ${name}`, key };
    this.#units.push(unit);
    if (kind === "request") this.#unitOf.set(`${session} ${index}`, unit);
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
        ...(field === undefined ? {} : { field }),
        ...(update === undefined
          ? {}
          : { update: { message: `event ${update.event}`, field: update.field } }),
      }),
    ),
    payloads: {
      request: envelope.request.payload ?? "",
      response: envelope.response?.result ?? "",
      event: envelope.event.payload ?? "",
    },
    unanswered: requestsOf(protocol)
      .filter(isUnanswered)
      .map(({ name }) => name),
  };
}

function notesOf({ isOneSided, isOrderGuessed }: RecordingKnowledge): readonly string[] {
  return [
    ...(isOneSided === true ? ["The recording contains messages from only one side."] : []),
    ...(isOrderGuessed === true
      ? [
          "The two sides were recorded separately, so the relative order of messages from different sides is a guess.",
        ]
      : []),
  ];
}

function docsOf(
  rules: ReadonlyMap<string, LintRule>,
  found: Iterable<string>,
): Readonly<Record<string, string>> {
  return Object.fromEntries([...found].map((rule) => [rule, rules.get(rule)?.docs ?? ""]));
}
