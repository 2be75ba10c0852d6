import { countText, nounAfter } from "../generator/base/plural.js";
import type { Verdict } from "./compare/outcomes.js";
import type { Finding, ProtocolDiff } from "./finding.js";
import { rules } from "./compare/rules.js";

/** How a new version affects the author of one side. */
export interface SideAdvice {
  readonly role: string;
  readonly peer: string;
  /**
   * Whether this side moves to the new version while its peers keep the old one. If false, this
   * side keeps the old version while its peers move.
   */
  readonly moves: boolean;
  /** Which side has which version, such as `new-client/old-adapter`. */
  readonly pair: string;
  /** Findings that concern this side, grouped by their effect on messages. */
  readonly breaks: readonly Finding[];
  readonly degrades: readonly Finding[];
  readonly means: readonly Finding[];
  readonly unnoticed: readonly Finding[];
  readonly undetermined: readonly Finding[];
  /**
   * `code`: changes that stop this side's code from compiling. `switches`: changes that break only
   * exhaustive switches and maps.
   */
  readonly code: readonly Finding[];
  readonly switches: readonly Finding[];
  /** Findings about new messages and values that this side is now allowed to send. */
  readonly gains: readonly Finding[];
  readonly tasks: readonly Task[];
}

/** A task for the author of a side. */
export interface Task {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/**
 * Returns advice for the author of each side, starting with the sides that move to the new version.
 * Pairs of versions that do not affect severities are left out.
 */
export function adviseSides(
  {
    roles,
    pairs,
    judgedPairs = pairs,
    side,
  }: Pick<ProtocolDiff, "roles" | "pairs" | "judgedPairs" | "side">,
  findings: readonly Finding[],
): readonly SideAdvice[] {
  const [first, second] = roles;
  const both = [
    [first, second],
    [second, first],
  ] as const;
  return [true, false].flatMap((moves) =>
    both.flatMap(([role, peer]) => {
      const pair = moves ? `new-${role}` : `old-${role}`;
      const pairing = judgedPairs.find((each) => each.split("/").includes(pair));
      return pairing === undefined || (side !== undefined && !(moves && side === role))
        ? []
        : [adviseSide(role, peer, moves, pairing, findings)];
    }),
  );
}

function adviseSide(
  role: string,
  peer: string,
  moves: boolean,
  pair: string,
  findings: readonly Finding[],
): SideAdvice {
  const withVerdict = (...verdicts: readonly Verdict[]): readonly Finding[] =>
    findings.filter(({ wire }) => verdicts.includes(wire[pair] ?? "ok"));
  const code = moves ? findings.filter(({ source }) => source[role]?.compiles === false) : [];
  const switches = moves
    ? findings.filter(({ source }) => source[role]?.compiles === true && source[role].exhaustive)
    : [];
  const advice = {
    role,
    peer,
    moves,
    pair,
    breaks: withVerdict("rejected"),
    degrades: withVerdict("degraded"),
    means: withVerdict("different"),
    unnoticed: withVerdict("lost"),
    undetermined: withVerdict("unknown"),
    code,
    switches,
    gains: moves ? findings.filter((each) => isGain(each) && isSentBy(each, role)) : [],
  };
  return { ...advice, tasks: moves ? tasksOf(advice) : [] };
}

function isGain({ rule }: Finding): boolean {
  return /\.added-|^(capability\.added|enum\.(open-)?value-added|union\.branch-added)$/.test(rule);
}

/** The subject of a finding, which determines the task that it leads to. */
type Subject = "renamed" | "missing" | "part" | "message" | "event";

/** The tasks about parts that the side sends to old peers, in order. */
const sendingTasks: Readonly<Record<Subject, (peers: string) => string>> = {
  renamed: (peers) => `also send the old names to old ${peers}:`,
  missing: (peers) => `keep sending the parts that old ${peers} require:`,
  part: (peers) => `use the old form with old ${peers} in`,
  message: (peers) => `handle old ${peers} that answer with an error or do not answer:`,
  event: (peers) => `do not rely on old ${peers} to handle`,
};

/** The tasks about parts that the side receives from old peers, in order. */
const receivingTasks: Readonly<Record<Subject, (peers: string) => string>> = {
  renamed: (peers) => `also accept the old names that old ${peers} send:`,
  missing: (peers) => `accept messages without the parts that old ${peers} omit:`,
  message: (peers) => `keep answering old ${peers}:`,
  event: (peers) => `keep handling messages from old ${peers}:`,
  part: (peers) => `keep reading the parts that old ${peers} send in`,
};

function tasksOf({
  role,
  peer,
  breaks,
  degrades,
  means,
  code,
  switches,
}: Omit<SideAdvice, "tasks">): readonly Task[] {
  const bad = [...breaks, ...degrades, ...means];
  const tasksAbout = (tasks: typeof sendingTasks, findings: readonly Finding[]): readonly Task[] =>
    Object.entries(tasks).map(([subject, textOf]) => ({
      text: textOf(`${peer}s`),
      findings: findings.filter((finding) => subjectOf(finding) === subject),
    }));
  return [
    ...tasksAbout(
      sendingTasks,
      bad.filter((finding) => isSentBy(finding, role)),
    ),
    ...tasksAbout(
      receivingTasks,
      bad.filter((finding) => !isSentBy(finding, role)),
    ),
    { text: "adapt the code that handles", findings: code },
    { text: "add the new cases to exhaustive switches and maps over", findings: switches },
  ].filter(({ findings }) => findings.length > 0);
}

function subjectOf({ rule, owner }: Finding): Subject {
  if (/^(message|gate)\./.test(rule)) return owner.startsWith("event ") ? "event" : "message";
  if (rule.startsWith("prop.renamed-")) return "renamed";
  // One version requires a part that the other version does not send.
  const isMissing =
    /^(prop|body)\.(added-required|removed-required|became-(required|optional)|removed$|required-name-)/;
  return isMissing.test(rule) ? "missing" : "part";
}

function isSentBy({ receivers }: Finding, role: string): boolean {
  return receivers.some((receiver) => receiver !== role);
}

/**
 * Returns alternatives to breaking and lossy changes for the protocol's author, without duplicates.
 * The result is empty if the comparison covers only one side, because the author of a side cannot
 * change the protocol.
 */
export function waysOutOf(
  { side }: Pick<ProtocolDiff, "side">,
  findings: readonly Finding[],
): readonly Task[] {
  if (side !== undefined) return [];
  const byText = groupBy(findings, ({ rule }) => rules.get(rule)?.wayOut ?? "");
  return [...byText].flatMap(([text, ofText]) => (text === "" ? [] : [{ text, findings: ofText }]));
}

/** Groups findings by a text, in the order of their first occurrence. */
export function groupBy(
  findings: readonly Finding[],
  keyOf: (finding: Finding) => string,
): ReadonlyMap<string, readonly [Finding, ...Finding[]]> {
  const groups = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const group = groups.get(keyOf(finding));
    if (group === undefined) groups.set(keyOf(finding), [finding]);
    else group.push(finding);
  }
  return groups;
}

/** The text about one side in a report: a paragraph, followed by the tasks. */
interface AdviceText {
  /** The side, and what happens to it: `A client that …` and `nothing fails. …`. */
  readonly side: string;
  readonly effect: string;
  /** Both in one paragraph. */
  readonly text: string;
  readonly tasks: readonly string[];
}

/**
 * Maximum number of locations to name in a sentence on a terminal. Pages and files name all of
 * them.
 */
const maxNamed = 3;

interface NamedPlaces {
  /** Whether to name all locations. Default: only the first few. */
  readonly all?: boolean;
  readonly write?: (place: string) => string;
}

/** Describes in a paragraph how a side is affected. */
export function adviceText(
  advice: SideAdvice,
  { before, after }: ProtocolDiff,
  named: NamedPlaces = {},
): AdviceText {
  const { role, peer, moves } = advice;
  const side = moves
    ? `${article(role)} ${role} that moves from ${before} to ${after} with old ${peer}s`
    : `${article(role)} ${role} that stays on ${before} with new ${peer}s`;
  const effect = `${messagesText(advice, named)}.${codeText(advice, named)}`;
  return {
    side,
    effect,
    text: `${side}: ${effect}`,
    tasks: advice.tasks.map((task) => taskText(task, named)),
  };
}

function taskText({ text, findings }: Task, named: NamedPlaces): string {
  return `${text} ${placesText(findings, named)}`;
}

function messagesText(advice: SideAdvice, named: NamedPlaces): string {
  const changes = (findings: readonly Finding[]): string => changesText(findings, named);
  const { role, peer, moves, breaks, degrades, means, unnoticed, undetermined } = advice;
  const sent = unnoticed.filter(({ receivers }) => receivers.some((each) => each !== role));
  const got = unnoticed.filter((finding) => !sent.includes(finding));
  const age = moves ? "old" : "new";
  const effect = (
    findings: readonly Finding[],
    text: (one: boolean) => string,
  ): readonly string[] =>
    findings.length === 0 ? [] : [`${changes(findings)} ${text(findings.length === 1)}`];
  return [
    ...(breaks.length === 0 ? ["nothing fails"] : []),
    ...effect(breaks, (one) => `${one ? "breaks" : "break"} the session`),
    ...effect(
      degrades,
      (one) => `${one ? "causes an error or loses" : "cause an error or lose"} part of a message`,
    ),
    ...effect(means, (one) => `${one ? "has" : "have"} a different meaning for the other side`),
    ...(undetermined.length === 0 ? [] : [`the effect of ${changes(undetermined)} is unknown`]),
    ...(sent.length === 0 ? [] : [`it sends ${partsText(sent)} that ${age} ${peer}s ignore`]),
    ...(got.length === 0 ? [] : [`it ignores ${partsText(got)} that ${age} ${peer}s send`]),
  ].join("; ");
}

function codeText({ moves, code, switches, gains, tasks }: SideAdvice, named: NamedPlaces): string {
  if (!moves) return "";
  const compiles =
    code.length > 0
      ? ` Its code stops compiling because of ${changesText(code, named)}.`
      : switches.length > 0
        ? " Its code compiles, except for exhaustive switches and maps."
        : " Its code compiles as before.";
  const isFree = tasks.length === 0 ? " No action is required." : "";
  const flags = gains.filter(({ rule }) => rule === "capability.added");
  const others = gains.filter((finding) => !flags.includes(finding));
  const gained = [
    ...(others.length === 0 ? [] : [`send ${partsText(others, "new ")}`]),
    ...(flags.length === 0 ? [] : [`announce ${partsText(flags, "new ")}`]),
  ].join(" and ");
  return `${compiles}${isFree}${gained === "" ? "" : ` It may ${gained}.`}`;
}

/** Kinds of changed parts in the order in which texts name them, with the rules about them. */
const partKinds = [
  ["message", "messages", /^(message\.(added|removed)-(request|event|gated|essential)$|gate\.)/],
  ["property", "properties", /^prop\./],
  ["value", "values", /^(enum|wire)\./],
  ["alternative", "alternatives", /^union\./],
  ["payload", "payloads", /^body\./],
  ["capability", "capabilities", /^capability\./],
  ["part", "parts", /^/],
] as const;

/** Counts the parts that have changed: `1 message and 3 properties`. */
function partsText(findings: readonly Finding[], kind = ""): string {
  const kinds = findings.map(({ rule }) => partKinds.find(([, , about]) => about.test(rule)));
  const texts = partKinds.flatMap((each) => {
    const count = kinds.filter((one) => one === each).length;
    const [noun, many] = each;
    return count === 0 ? [] : [`${count} ${kind}${nounAfter(count, noun, many)}`];
  });
  const last = texts.pop()!;
  return texts.length === 0 ? last : `${texts.join(", ")} and ${last}`;
}

function changesText(findings: readonly Finding[], named: NamedPlaces): string {
  return `${countText(findings.length, "change")} (${placesText(findings, named)})`;
}

/** Lists the locations of findings. */
export function placesText(
  findings: readonly Finding[],
  { all = false, write = (place) => place }: NamedPlaces = {},
): string {
  const names = findings.map((finding) => write(placeOf(finding)));
  const rest = names.length - maxNamed;
  return all || rest <= 1
    ? names.join(", ")
    : `${names.slice(0, maxNamed).join(", ")} and ${rest} more`;
}

function placeOf({ rule, at, message: change }: Finding): string {
  const nameBefore = rule.startsWith("prop.renamed-") ? change.split(" → ", 1)[0]! : "";
  return nameBefore === ""
    ? at
    : `${at.slice(0, at.lastIndexOf(".") + 1)}${nameBefore} (now ${at.slice(at.lastIndexOf(".") + 1)})`;
}

function article(word: string): string {
  return /^[aeiou]/i.test(word) ? "An" : "A";
}
