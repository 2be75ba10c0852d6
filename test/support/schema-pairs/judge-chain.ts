import { schemaWith } from "../elementary-changes.js";
import type { ProtocolDiff } from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { Random } from "../random.js";
import {
  createSubject,
  judgePair,
  policies,
  type Contradiction,
  type Policy,
  type Subject,
} from "./judge-pair.js";
import { nextVersion } from "./mutate-shapes.js";
import { createVersion, type Shape, type Version } from "./shapes.js";
import { spellVersion } from "./spell-shapes.js";

/** The generator functions under test. */
export interface Comparer {
  readonly read: (schema: object) => Promise<Protocol>;
  readonly diff: (before: Protocol, after: Protocol, reader: Policy) => ProtocolDiff;
}

export interface JudgedPair {
  readonly before: object;
  readonly after: object;
  readonly contradictions: readonly Contradiction[];
}

/**
 * Checks the comparison of each version in a chain with the next, and the comparison of one version
 * written in two equivalent forms.
 */
export async function* judgeChain(
  random: Random,
  pairs: number,
  { read, diff }: Comparer,
): AsyncGenerator<JudgedPair> {
  const open = async (version: Version): Promise<readonly [object, Protocol]> => {
    const { Payload, ...others } = spellVersion(random, version);
    const schema = schemaWith({ schema: Payload as Schema }, "adapter");
    const all = { ...(schema["definitions"] as object), ...others };
    const whole = { ...schema, definitions: all };
    return [whole, await read(whole)];
  };
  let version = createVersion(random);
  while (isEndless(version)) version = createVersion(random);
  let [before, protocol] = await open(version);
  let subject: Subject = createSubject(random, version, protocol);
  for (let judged = 0; judged < pairs; judged++) {
    const next = nextVersion(random, version);
    if (isEndless(next)) continue;
    const [after, nextProtocol] = await open(next);
    const nextSubject = createSubject(random, next, nextProtocol);
    const contradictions = judgePair(subject, nextSubject, (policy) =>
      diff(subject.protocol, nextProtocol, policy),
    );
    yield { before, after, contradictions };
    const [again, same] = await open(next);
    yield { before: after, after: again, contradictions: judgeSame(nextProtocol, same, diff) };
    judged++;
    [version, before, protocol, subject] = [next, after, nextProtocol, nextSubject];
  }
}

/** Returns whether a definition refers only to itself, which is not allowed in a schema. */
export function isEndless(version: Version): boolean {
  const leadsTo = (shape: Shape, passed: readonly string[]): boolean => {
    if (shape.kind === "union") return shape.members.some((each) => leadsTo(each, passed));
    if (shape.kind !== "reference") return false;
    const { name } = shape;
    return passed.includes(name) || leadsTo(version.get(name)!, [...passed, name]);
  };
  return [...version].some(([name, shape]) => leadsTo(shape, [name]));
}

type Schema = { readonly [key: string]: unknown };

/** Checks that comparing two forms of the same version reports no effects. */
function judgeSame(
  before: Protocol,
  after: Protocol,
  diff: Comparer["diff"],
): readonly Contradiction[] {
  return policies.flatMap((policy) =>
    diff(before, after, policy)
      .findings.filter(({ wire }) => Object.values(wire).some((verdict) => verdict !== "ok"))
      .map(({ rule, at, message: change }) => ({
        policy,
        pair: "the same",
        problem: `says ${rule} ${at} (${change}) about one version written in two ways`,
      })),
  );
}
