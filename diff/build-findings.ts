import { visible } from "../generator/base/visible-text.js";
import type { Change, Step } from "./compare/change.js";
import type { MessageChange, VersionsOfMessage } from "./compare/compare-messages.js";
import type { Pair, Way } from "./compare/definition-pairs.js";
import { limitVerdict, tighter, unlimited, wider, type Verdict } from "./compare/outcomes.js";
import type { SourceVerdict } from "./compare/rule-family.js";
import type { Versions } from "./compare/side.js";
import type { WorkBudget } from "./compare/work-budget.js";
import { type Draft, WitnessFinder } from "./find-witnesses.js";
import type { DiffOptions, Finding, FindingPlace } from "./finding.js";
import { outcomeOf, severityOf, verdictOf, worstVerdict, type Pairing } from "./verdicts.js";

/** The changes between two versions, by where they were found. */
interface Changes {
  /** Changes to messages as a whole. */
  readonly messages: readonly MessageChange[];
  /** Changes to definitions that no message contains. */
  readonly unsent: readonly Change[];
  /** Pairs of definitions, with the changes inside them. */
  readonly pairs: Iterable<Pair>;
}

/** Everything needed to build findings, apart from the changes themselves. */
interface FindingContext {
  readonly versions: Versions;
  readonly pairings: readonly [Pairing, Pairing];
  readonly options: DiffOptions;
  readonly budget: WorkBudget;
}

/** Builds a finding, with its effects, for each change. */
export function buildFindings(changes: Changes, context: FindingContext): readonly Finding[] {
  const { versions, options, budget } = context;
  const witnesses = new WitnessFinder(versions, options.reader ?? "tolerant", budget);
  return [...draftsOf(changes, versions.after.protocol.roles)].map((draft) =>
    buildFinding(draft, witnesses, context),
  );
}

/** Merges the changes that were found along several paths. */
function draftsOf({ messages, unsent, pairs }: Changes, roles: readonly string[]): Iterable<Draft> {
  const drafts = new Map<string, Draft>();
  const draftOf = (
    change: Change,
    receivers: Iterable<string>,
    labels: Iterable<string>,
    message?: VersionsOfMessage,
  ): Draft => {
    // A change in a base turns up once for each derived type. Use the rule and the location as the
    // key, because together they identify a finding.
    const key = `${change.rule.id} ${change.site.owner}${change.site.label}`;
    let draft = drafts.get(key);
    if (draft === undefined)
      drafts.set(
        key,
        (draft = {
          change,
          pairs: [],
          receivers: new Set(),
          messages: new Set(),
          limits: new Map(),
          message,
        }),
      );
    for (const receiver of receivers) draft.receivers.add(receiver);
    for (const label of labels) draft.messages.add(label);
    return draft;
  };
  for (const { change, message, receivers, label } of messages) {
    const { limits } = draftOf(change, receivers, [label], message);
    if (change.limits !== undefined)
      for (const receiver of receivers) limits.set(receiver, change.limits);
  }
  for (const change of unsent) draftOf(change, roles, []);
  for (const pair of pairs)
    for (const change of pair.changes) {
      const draft = draftOf(change, pair.ways.keys(), pair.messages);
      draft.pairs.push(pair);
      for (const [receiver, ofPair] of pair.limits) {
        const ofChange = change.limits === undefined ? ofPair : tighter(change.limits, ofPair);
        const ofOthers = draft.limits.get(receiver);
        draft.limits.set(receiver, ofOthers === undefined ? ofChange : wider(ofOthers, ofChange));
      }
    }
  return drafts.values();
}

function buildFinding(
  draft: Draft,
  witnesses: WitnessFinder,
  { versions, pairings, options }: FindingContext,
): Finding {
  const { change } = draft;
  const { rule, site } = change;
  const { roles } = versions.after.protocol;
  const receivers = roles.filter((role) => draft.receivers.has(role));
  const policy = options.reader ?? "tolerant";
  const wire = Object.fromEntries(
    pairings.map((pairing) => {
      const verdicts = receivers.map((role) => {
        const verdict = verdictOf(outcomeOf(change, pairing, role, versions), policy);
        const limits = draft.limits.get(role) ?? unlimited;
        return limitVerdict(verdict, role === pairing.newRole ? limits.oldToNew : limits.newToOld);
      });
      return [pairing.name, worstVerdict(verdicts)];
    }),
  );
  const source = Object.fromEntries(
    roles.map((role) => [role, sourceVerdict(change, role, receivers)]),
  );
  const severity = severityOf(rule, Object.values(wire), Object.values(source));
  const at = `${site.owner}${site.label}`;
  const isOfCodeAlone =
    draft.messages.size === 0 &&
    [rule.oldToNew, rule.newToOld].some((outcome) => outcome !== "ok") &&
    Object.values(wire).every((verdict) => verdict === "ok");
  return {
    rule: rule.id,
    severity,
    at,
    owner: site.owner,
    path: pathOf(draft, receivers),
    message: visible(change.change ?? ""),
    reason: visible(isOfCodeAlone ? "No message contains this type." : reasonText(change)),
    receivers,
    messages: [...draft.messages].sort(),
    gate: change.gate,
    evidence: change.evidence,
    before: placeOf(site.before, options.locateBefore),
    after: placeOf(site.after, options.locateAfter),
    wire,
    source,
    witnesses: witnesses.find(draft, pairings, receivers, wire),
    group: `${rule.id} ${severity} ${change.decision ?? at} ${judgementText(wire, source)}`.trim(),
  };
}

/**
 * Joins the verdicts into one string, or returns an empty string if neither side notices the
 * change. The string becomes part of the group key, so all findings in a group have the same
 * verdicts.
 */
function judgementText(
  wire: Readonly<Record<string, Verdict>>,
  source: Readonly<Record<string, SourceVerdict>>,
): string {
  const verdicts = Object.values(wire);
  const code = Object.entries(source).flatMap(([role, { compiles, when, exhaustive }]) =>
    compiles && !exhaustive ? [] : [`${role} ${compiles ? "exhaustive" : (when ?? "always")}`],
  );
  const isQuiet = verdicts.every((verdict) => verdict === "ok") && code.length === 0;
  return isQuiet ? "" : `(${[verdicts.join(" "), ...code].join(", ")})`;
}

function sourceVerdict(
  { rule }: Change,
  role: string,
  receivers: readonly string[],
): SourceVerdict {
  const verdicts = receivers.map((receiver) => (receiver === role ? rule.consumer : rule.producer));
  const worst =
    verdicts.find(({ compiles, when }) => !compiles && when === "always") ??
    verdicts.find(({ compiles }) => !compiles) ??
    verdicts[0];
  return { ...(worst ?? { compiles: true }), exhaustive: rule.exhaustive };
}

function placeOf(
  pointer: string | undefined,
  locate: DiffOptions["locateAfter"],
): FindingPlace | undefined {
  if (pointer === undefined || pointer === "") return undefined;
  return locate === undefined ? { pointer } : locate(pointer);
}

function pathOf({ change, pairs, messages }: Draft, [receiver = ""]: readonly string[]): string {
  const [pair] = pairs;
  return pair?.ways.has(receiver) === true
    ? pathText(pair, receiver, change.site.label)
    : ([...messages][0] ?? `${change.site.owner}${change.site.label}`);
}

function reasonText({ rule, gate, ...change }: Change): string {
  const parts = {
    before: change.before ?? "",
    after: change.after ?? "",
    gate: gate === undefined ? "a capability" : `${gate.role}.${gate.capability}`,
  };
  const evidence =
    change.evidence === undefined
      ? ""
      : ` Treated as a rename (score ${change.evidence.score}): ${change.evidence.reasons.join(", ")}.`;
  const reason = rule.reason.replaceAll(
    /\{(before|after|gate)\}/g,
    (_, name: keyof typeof parts) => parts[name],
  );
  return `${reason}${evidence}`;
}

function pathText(pair: Pair, receiver: string, label: string): string {
  const parts: string[] = [];
  let message = "";
  for (let inner: Pair | undefined = pair; inner !== undefined;) {
    const way: Way | undefined = inner.ways.get(receiver);
    if (way === undefined) break;
    parts.unshift(...way.steps.flatMap(stepText));
    message = way.label;
    inner = way.from;
  }
  const path = `${parts.map((part) => `/${part}`).join("")}${label.replaceAll(/\[\]|\{\}/g, "/*").replaceAll(".", "/")}`;
  return path === "" ? message : `${message}: ${path}`;
}

function stepText(step: Step): readonly string[] {
  if (step.kind === "member") return [];
  return [step.kind === "field" ? step.name : "*"];
}
