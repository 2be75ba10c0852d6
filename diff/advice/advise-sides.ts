import type { Verdict } from "../compare/outcomes.js";
import type { Finding, ProtocolDiff } from "../finding.js";
import { wayOutOf } from "./ways-out.js";

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
 */
export function adviseSides(
  { roles, pairs, side }: Pick<ProtocolDiff, "roles" | "pairs" | "side">,
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
      const pairing = pairs.find((each) => each.split("/").includes(pair));
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
  const having = (...verdicts: readonly Verdict[]): readonly Finding[] =>
    findings.filter(({ wire }) => verdicts.includes(wire[pair] ?? "ok"));
  const code = moves ? findings.filter(({ source }) => source[role]?.compiles === false) : [];
  const switches = moves
    ? findings.filter(({ source }) => source[role]?.compiles === true && source[role].exhaustive)
    : [];
  const known = {
    role,
    peer,
    moves,
    pair,
    breaks: having("rejected"),
    degrades: having("degraded"),
    means: having("different"),
    unnoticed: having("lost"),
    undetermined: having("unknown"),
    code,
    switches,
    gains: moves ? findings.filter((each) => isGain(each) && isSentBy(each, role)) : [],
  };
  return { ...known, tasks: moves ? tasksOf(known) : [] };
}

function isGain({ rule }: Finding): boolean {
  return /\.added-|^(capability\.added|enum\.(open-)?value-added|union\.branch-added)$/.test(rule);
}

/**
 * Returns what the author of a side that moves to the new version should do to keep it compatible
 * with older peers.
 */
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
  const sent = bad.filter((finding) => isSentBy(finding, role));
  const received = bad.filter((finding) => !sent.includes(finding));
  return [
    ...task(`also send the old names to old ${peer}s:`, sent.filter(isRenamed)),
    ...task(`keep sending the parts that old ${peer}s require:`, sent.filter(isMissing)),
    ...task(
      `use the old form with old ${peer}s in`,
      sent.filter((each) => !isMessage(each) && !isRenamed(each) && !isMissing(each)),
    ),
    ...task(
      `handle old ${peer}s that answer with an error or do not answer:`,
      sent.filter((each) => isMessage(each) && !isEvent(each)),
    ),
    ...task(`do not rely on old ${peer}s to handle`, sent.filter(isEvent)),
    ...task(`also accept the old names that old ${peer}s send:`, received.filter(isRenamed)),
    ...task(
      `accept messages without the parts that old ${peer}s omit:`,
      received.filter(isMissing),
    ),
    ...task(
      `keep answering old ${peer}s:`,
      received.filter((each) => isMessage(each) && !isEvent(each)),
    ),
    ...task(`keep handling messages from old ${peer}s:`, received.filter(isEvent)),
    ...task(
      `keep reading the parts that old ${peer}s send in`,
      received.filter((each) => !isMessage(each) && !isRenamed(each) && !isMissing(each)),
    ),
    ...task("adapt the code that handles", code),
    ...task("add the new cases to exhaustive switches and maps over", switches),
  ];
}

function isRenamed({ rule }: Finding): boolean {
  return rule.startsWith("prop.renamed-");
}

/** Returns whether one version requires a message part that the other version does not send. */
function isMissing({ rule }: Finding): boolean {
  return /^(prop|body)\.(added-required|removed-required|became-(required|optional)|removed$|required-name-)/.test(
    rule,
  );
}

function task(text: string, findings: readonly Finding[]): readonly Task[] {
  return findings.length === 0 ? [] : [{ text, findings }];
}

function isMessage({ rule }: Finding): boolean {
  return rule.startsWith("message.") || rule.startsWith("gate.");
}

/**
 * Returns whether a change affects an event as a whole. Unlike requests, events have no response.
 */
function isEvent(finding: Finding): boolean {
  return isMessage(finding) && finding.owner.startsWith("event ");
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
  const found = new Map<string, Finding[]>();
  for (const finding of findings) {
    const text = wayOutOf(finding.rule);
    if (text === undefined) continue;
    const own = found.get(text);
    if (own === undefined) found.set(text, [finding]);
    else own.push(finding);
  }
  return [...found].map(([text, own]) => ({ text, findings: own }));
}
