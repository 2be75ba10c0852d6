import type { ProtocolDiff } from "../../../generator/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { typesIn } from "../../../generator/model/types-in.js";
import type { Random } from "../random.js";
import { isPossible } from "../schema-pairs/flat-shapes.js";
import { isEndless } from "../schema-pairs/judge-chain.js";
import {
  createSubject,
  judgePair,
  type Contradiction,
  type Policy,
} from "../schema-pairs/judge-pair.js";
import { editDefinitions } from "./edit-model.js";
import { shapesOf } from "./model-shapes.js";
import { takePart, withPayload, type SmallProtocol } from "./small-protocol.js";

/** How many of the nearest definitions are edited: values reach them. */
export const nearest = 3;

/** A part of a real protocol, and the same with an edit. */
export interface EditedPart {
  readonly before: SmallProtocol;
  readonly after: SmallProtocol;
  /** The edit that was made. */
  readonly kinds: readonly string[];
}

/** Takes a random part of a protocol and edits it. Undefined: the part is too large, or nothing would be of its types. */
export function editPart(random: Random, whole: Protocol): EditedPart | undefined {
  const before = takePart(random, whole);
  if (before === undefined) return undefined;
  const targets = before.reached.slice(0, nearest);
  const { definitions, kinds } = editDefinitions(random, before.protocol.definitions, targets);
  if (kinds.length === 0) return undefined;
  const payload = before.payload.kind === "reference" ? before.payload.name : "";
  const name = definitions.some((each) => each.name === payload)
    ? payload
    : definitions.find((each) => each.name.startsWith(`${payload}New`))!.name;
  const after = withPayload(
    before.protocol.messages[0]!.sender,
    { ...before.protocol, definitions },
    { kind: "reference", name },
  );
  if (after === undefined || !hasObjectsAsBases(after.protocol)) return undefined;
  // A payload that contains its own message would never end.
  if (after.reached.includes(after.protocol.messages[0]!.definition)) return undefined;
  const shapes = shapesOf(after.protocol, after.payload);
  if (isEndless(shapes) || !isPossible(shapes, shapes.get("Payload")!)) return undefined;
  return { before, after, kinds };
}

/** Readers take only objects for bases. */
function hasObjectsAsBases({ definitions }: Protocol): boolean {
  const kinds = new Map(definitions.map(({ name, type }) => [name, type.kind]));
  return definitions.every(({ type }) =>
    [...typesIn(type)].every(
      (each) => each.kind !== "object" || each.bases.every((base) => kinds.get(base) === "object"),
    ),
  );
}

/** Results of comparisons for an edit that does not affect values. */
export function judgeEdit(
  random: Random,
  { before, after }: EditedPart,
  diff: (before: Protocol, after: Protocol, reader: Policy) => ProtocolDiff,
): readonly Contradiction[] {
  const [old, now] = [before, after].map(({ protocol, payload }) =>
    createSubject(random, shapesOf(protocol, payload), protocol, payload),
  );
  const { roles, envelope, messages } = before.protocol;
  const [first, second] = roles;
  const meetings = [`old-${first}/new-${second}`, `new-${first}/old-${second}`] as const;
  const isFirst = messages[0]!.sender === first;
  return judgePair(old!, now!, (policy) => diff(before.protocol, after.protocol, policy), {
    field: envelope.event.payload,
    pairs: isFirst ? meetings : [meetings[1], meetings[0]],
  });
}
