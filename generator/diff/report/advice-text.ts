import type { SideAdvice, Task } from "../advice/advise-sides.js";
import type { Finding, ProtocolDiff } from "../finding.js";

/** What a report says to one side: a paragraph, and what is to be done. */
export interface AdviceText {
  readonly text: string;
  readonly tasks: readonly string[];
}

/** How many places a sentence names. */
const maxNamed = 3;

/** A paragraph for a side, in words. */
export function adviceText(advice: SideAdvice, { before, after }: ProtocolDiff): AdviceText {
  const { role, peer, moves } = advice;
  const head = moves
    ? `${article(role)} ${role} that moves from ${before} to ${after} and meets old ${peer}s: `
    : `${article(role)} ${role} that stays on ${before} and meets new ${peer}s: `;
  return {
    text: `${head}${messagesText(advice)}.${codeText(advice)}`,
    tasks: advice.tasks.map(taskText),
  };
}

/** What somebody can do, and where. */
export function taskText({ text, findings }: Task): string {
  return `${text} ${placesText(findings)}`;
}

function messagesText(advice: SideAdvice): string {
  const { role, peer, moves, breaks, degrades, means, unnoticed, untold } = advice;
  const sent = unnoticed.filter(({ receivers }) => receivers.some((each) => each !== role));
  const got = unnoticed.length - sent.length;
  const age = moves ? "old" : "new";
  return [
    breaks.length === 0 ? "nothing fails" : `they fail over ${changes(breaks)}`,
    ...(degrades.length === 0
      ? []
      : [`${changes(degrades)} ${degrades.length === 1 ? "costs" : "cost"} a part or an error`]),
    ...(means.length === 0
      ? []
      : [
          `${changes(means)} ${means.length === 1 ? "means" : "mean"} something else to the other side`,
        ]),
    ...(untold.length === 0 ? [] : [`of ${changes(untold)} nobody can tell`]),
    ...(sent.length === 0
      ? []
      : [`${things(sent.length)} that it sends ${goes(sent.length)} unnoticed by ${age} ${peer}s`]),
    ...(got === 0 ? [] : [`${things(got)} that ${age} ${peer}s send ${goes(got)} unnoticed by it`]),
  ].join("; ");
}

function codeText({ moves, code, switches, gains, tasks }: SideAdvice): string {
  if (!moves) return "";
  const compiles =
    code.length > 0
      ? ` Its code stops compiling at ${changes(code)}.`
      : switches.length > 0
        ? " Its code compiles, except switches and maps over all cases."
        : " Its code compiles as before.";
  const isFree = tasks.length === 0 ? " Nothing has to be done." : "";
  const flags = gains.filter(({ id }) => id === "capability.added").length;
  const others = gains.length - flags;
  const gained = [
    ...(others === 0 ? [] : [`send ${others} new thing${others === 1 ? "" : "s"}`]),
    ...(flags === 0 ? [] : [`announce ${flags} new capabilit${flags === 1 ? "y" : "ies"}`]),
  ].join(" and ");
  return `${compiles}${isFree}${gained === "" ? "" : ` It may ${gained}.`}`;
}

function things(count: number): string {
  return `${count} thing${count === 1 ? "" : "s"}`;
}

function goes(count: number): string {
  return count === 1 ? "goes" : "go";
}

function changes(findings: readonly Finding[]): string {
  return `${findings.length} change${findings.length === 1 ? "" : "s"} (${placesText(findings)})`;
}

/** The first places, and how many are left. */
export function placesText(
  findings: readonly Finding[],
  write: (place: string) => string = (place) => place,
): string {
  const names = findings.map(({ at }) => write(at));
  const rest = names.length - maxNamed;
  return rest <= 1 ? names.join(", ") : `${names.slice(0, maxNamed).join(", ")} and ${rest} more`;
}

function article(word: string): string {
  return /^[aeiou]/i.test(word) ? "An" : "A";
}
