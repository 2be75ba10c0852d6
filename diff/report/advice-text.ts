import type { SideAdvice, Task } from "../advice/advise-sides.js";
import type { Finding, ProtocolDiff } from "../finding.js";

/** The text about one side in a report: a paragraph, followed by the tasks. */
interface AdviceText {
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
  const head = moves
    ? `${article(role)} ${role} that moves from ${before} to ${after} with old ${peer}s: `
    : `${article(role)} ${role} that stays on ${before} with new ${peer}s: `;
  return {
    text: `${head}${messagesText(advice, named)}.${codeText(advice, named)}`,
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
  const got = unnoticed.length - sent.length;
  const age = moves ? "old" : "new";
  return [
    breaks.length === 0
      ? "nothing fails"
      : `${changes(breaks)} ${breaks.length === 1 ? "breaks" : "break"} the session`,
    ...(degrades.length === 0
      ? []
      : [
          `${changes(degrades)} ${degrades.length === 1 ? "causes an error or loses" : "cause an error or lose"} part of a message`,
        ]),
    ...(means.length === 0
      ? []
      : [
          `${changes(means)} ${means.length === 1 ? "has" : "have"} a different meaning for the other side`,
        ]),
    ...(undetermined.length === 0 ? [] : [`the effect of ${changes(undetermined)} is unknown`]),
    ...(sent.length === 0
      ? []
      : [`${age} ${peer}s ignore ${partsText("", sent.length)} that it sends`]),
    ...(got === 0 ? [] : [`it ignores ${partsText("", got)} that ${age} ${peer}s send`]),
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
  const flags = gains.filter(({ rule }) => rule === "capability.added").length;
  const others = gains.length - flags;
  const gained = [
    ...(others === 0 ? [] : [`send ${partsText("new ", others)}`]),
    ...(flags === 0 ? [] : [`announce ${flags} new capabilit${flags === 1 ? "y" : "ies"}`]),
  ].join(" and ");
  return `${compiles}${isFree}${gained === "" ? "" : ` It may ${gained}.`}`;
}

/** Returns the number of findings about messages or their parts, in words. */
function partsText(kind: string, count: number): string {
  return count === 1
    ? `1 ${kind}message, property or value`
    : `${count} ${kind}messages, properties or values`;
}

function changesText(findings: readonly Finding[], named: NamedPlaces): string {
  return `${findings.length} change${findings.length === 1 ? "" : "s"} (${placesText(findings, named)})`;
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

/** Returns a finding's location. For a renamed property, this includes both names. */
function placeOf({ rule, at, message: change }: Finding): string {
  const old = rule.startsWith("prop.renamed-") ? change.split(" → ", 1)[0]! : "";
  return old === ""
    ? at
    : `${at.slice(0, at.lastIndexOf(".") + 1)}${old} (now ${at.slice(at.lastIndexOf(".") + 1)})`;
}

function article(word: string): string {
  return /^[aeiou]/i.test(word) ? "An" : "A";
}
