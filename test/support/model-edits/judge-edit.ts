import type { ProtocolDiff } from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { typesIn } from "../../../generator/model/type-checks.js";
import type { Random } from "../random.js";
import { isEndless, isPossible, versionOf } from "./versions.js";
import { createSubject, judgePair, type Contradiction, type Policy } from "./judge-pair.js";
import { editDefinitions } from "./edit-model.js";
import { takePart, withPayload, type SmallProtocol } from "./small-protocol.js";

/**
 * Maximum number of definitions that may be edited. The definitions closest to the payload are
 * chosen, because values contain them.
 */
const nearest = 3;

/** A part of a real protocol, before and after an edit. */
export interface EditedPart {
  readonly before: SmallProtocol;
  readonly after: SmallProtocol;
  /** The kinds of edits that were made. */
  readonly kinds: readonly string[];
}

/**
 * Edits a random part of a protocol. Returns undefined if the part is too large or if a type would
 * be left without values.
 *
 * @param flips Whether the message's sender may change, too. By default it does not, so that known
 * seeds keep producing the same edits.
 */
export function editPart(random: Random, whole: Protocol, flips = false): EditedPart | undefined {
  const before = takePart(random, whole);
  if (before === undefined) return undefined;
  const targets = before.reached.slice(0, nearest);
  const { definitions, kinds } = editDefinitions(random, before.protocol.definitions, targets);
  if (kinds.length === 0) return undefined;
  const payload = before.payload.kind === "reference" ? before.payload.name : "";
  const name = definitions.some((each) => each.name === payload)
    ? payload
    : definitions.find((each) => each.name.startsWith(`${payload}New`))!.name;
  const { sender } = before.protocol.messages[0]!;
  const flipped = flips && random.oneIn(10);
  const senders = [...whole.roles, "both"].filter((each) => each !== sender);
  const after = withPayload(
    flipped ? random.pick(senders) : sender,
    { ...before.protocol, definitions },
    { kind: "reference", name },
  );
  if (after === undefined || !hasObjectsAsBases(after.protocol)) return undefined;
  // A payload that contains its own message would be infinite.
  if (after.reached.includes(after.protocol.messages[0]!.definition)) return undefined;
  const version = versionOf(after.protocol, after.payload);
  if (isEndless(version) || !isPossible(version, version.get("Payload")!)) return undefined;
  return { before, after, kinds: flipped ? [...kinds, "flip the direction"] : kinds };
}

/** Readers accept only objects as bases. */
function hasObjectsAsBases({ definitions }: Protocol): boolean {
  const kinds = new Map(definitions.map(({ name, type }) => [name, type.kind]));
  return definitions.every(({ type }) =>
    [...typesIn(type)].every(
      (each) => each.kind !== "object" || each.bases.every((base) => kinds.get(base) === "object"),
    ),
  );
}

/** Checks what `diff` says about an edit against readers of the messages. */
export function judgeEdit(
  random: Random,
  { before, after }: EditedPart,
  diff: (before: Protocol, after: Protocol, reader: Policy) => ProtocolDiff,
): readonly Contradiction[] {
  const [old, now] = [before, after].map(({ protocol, payload }) =>
    createSubject(random, protocol, payload),
  );
  const { roles, envelope } = before.protocol;
  const [had, has] = [before, after].map(({ protocol }) => sendersOf(protocol));
  const compare = (policy: Policy): ProtocolDiff => diff(before.protocol, after.protocol, policy);
  const ofTypes = (policy: Policy): ProtocolDiff => {
    const { findings, ...rest } = compare(policy);
    return { ...rest, findings: findings.filter(({ rule }) => !rule.startsWith("message.")) };
  };
  // Values can be compared only for a side that sends the message in both versions.
  const [sender] = had!.filter((role) => has!.includes(role));
  const pairs = pairsOf(roles, sender ?? roles[0]!);
  const values =
    sender === undefined
      ? judgeUnsent(ofTypes("strict"))
      : judgePair(old!, now!, ofTypes, { field: envelope.event.payload, pairs });
  return [...values, ...judgeSenders(roles, had!, has!, compare("tolerant"))];
}

/** Returns the pair for the old sender and the pair for the new one. */
function pairsOf(
  [first, second]: readonly string[],
  sender: string,
): readonly [oldSender: string, newSender: string] {
  const pairings = [`old-${first}/new-${second}`, `new-${first}/old-${second}`] as const;
  return sender === first ? pairings : [pairings[1], pairings[0]];
}

function sendersOf({ roles, messages }: Protocol): readonly string[] {
  const { sender } = messages[0]!;
  return sender === "both" ? roles : [sender];
}

/**
 * Returns a contradiction for each verdict about the values of a message that no side sends in both
 * versions.
 */
function judgeUnsent({ findings }: ProtocolDiff): readonly Contradiction[] {
  return findings.flatMap(({ rule, at, wire }) =>
    Object.entries(wire)
      .filter(([, verdict]) => verdict !== "ok")
      .map(([pair, verdict]) => ({
        policy: "strict" as const,
        pair,
        problem: `says ${rule} ${at}: ${verdict} about values that nobody sends`,
      })),
  );
}

/**
 * Checks the findings about changed senders. A peer keeps waiting for a side that no longer sends
 * the message, and does not expect the message from its new sender.
 */
function judgeSenders(
  roles: readonly string[],
  had: readonly string[],
  has: readonly string[],
  { findings }: ProtocolDiff,
): readonly Contradiction[] {
  const isReversed = !had.some((role) => has.includes(role));
  const reported = findings.filter(({ rule }) => rule.startsWith("message."));
  return roles.flatMap((role) => {
    const [oldSender, newSender] = pairsOf(roles, role);
    const changes = had.includes(role) !== has.includes(role);
    return [oldSender, newSender].flatMap((pair): readonly Contradiction[] => {
      const isSent = pair === oldSender ? had.includes(role) : has.includes(role);
      const isWaitedFor = pair === oldSender ? has.includes(role) : had.includes(role);
      const isLost = changes && (isSent || (isWaitedFor && had.includes(role)));
      const isReported = reported.some(
        ({ wire }) => wire[pair] === (isReversed ? "rejected" : "lost"),
      );
      if (!isLost || isReported) return [];
      return [
        { policy: "tolerant", pair, problem: `does not say that ${role} changes its message` },
      ];
    });
  });
}
