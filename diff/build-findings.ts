import { visible } from "../generator/base/visible-text.js";
import { type Change, codeVerdict, type Step } from "./compare/change.js";
import type { WorkBudget } from "./compare/work-budget.js";
import { limitVerdict, unlimited, type Verdict } from "./compare/outcomes.js";
import type { SourceVerdict } from "./compare/rule-family.js";
import { codeExamples } from "./code-examples.js";
import type { Draft, FindingDrafts } from "./finding-drafts.js";
import type { DiffOptions, Finding, FindingPlace } from "./finding.js";
import { WitnessFinder } from "./find-witnesses.js";
import { outcomeOf, type Pairing, severityOf, verdictOf, worstVerdict } from "./verdicts.js";
import type { Versions } from "./compare/side.js";
import type { Pair, Way } from "./compare/definition-pairs.js";

/** Everything needed to build findings, apart from the changes themselves. */
interface FindingContext {
  readonly versions: Versions;
  readonly pairings: readonly [Pairing, Pairing];
  readonly options: DiffOptions;
  readonly budget: WorkBudget;
}

/** Builds a finding, with its effects, for each change. */
export function buildFindings(drafts: FindingDrafts, context: FindingContext): readonly Finding[] {
  const { versions, options, budget } = context;
  const witnesses = new WitnessFinder(versions, options.reader ?? "tolerant", budget);
  return [...drafts].map((draft) => buildFinding(draft, witnesses, context));
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
  const before = placeOf(site.before, options.locateBefore);
  const after = placeOf(site.after, options.locateAfter);
  const at = `${site.owner}${site.label}`;
  return {
    rule: rule.id,
    severity,
    at,
    owner: site.owner,
    path: pathOf(draft, receivers),
    message: visible(change.change ?? ""),
    reason: visible(reasonText(change)),
    receivers,
    messages: [...draft.messages].sort(),
    ...(change.gate === undefined ? {} : { gate: change.gate }),
    ...(change.evidence === undefined ? {} : { evidence: change.evidence }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    wire,
    source,
    witnesses: witnesses.find(draft, pairings, receivers, wire),
    code: roles.flatMap((role) =>
      source[role]!.compiles ? [] : codeExamples(draft, versions, role, receivers),
    ),
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

/** Returns the effect of a change on one role's code. */
function sourceVerdict(change: Change, role: string, receivers: readonly string[]): SourceVerdict {
  const { exhaustive } = change.rule;
  // The sender's code builds the values; the receiver's code reads them.
  const verdicts = receivers.map((receiver) =>
    codeVerdict(change, receiver === role ? "reads" : "builds"),
  );
  const worst =
    verdicts.find(({ compiles, when }) => !compiles && when === "always") ??
    verdicts.find(({ compiles }) => !compiles) ??
    verdicts[0];
  return { ...(worst ?? { compiles: true }), exhaustive };
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

/** Returns a human-readable location: the message, followed by the path. */
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
