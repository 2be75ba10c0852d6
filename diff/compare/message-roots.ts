import type { Message, Payload } from "../../generator/model/protocol.js";
import { receiverOf } from "../../generator/model/queries.js";
import type { Root, VersionsOfPayload } from "./definition-pairs.js";
import type { Side } from "./side.js";

/**
 * Returns the roles that receive a sender's messages. If both roles send them, both receive them.
 */
export function receiversOf({ protocol }: Side, sender: string): readonly string[] {
  return sender === "both" ? protocol.roles : [receiverOf(protocol, sender)];
}

/**
 * The roles that receive a message or its response, and the limits on how its values can affect
 * them.
 */
type Delivery = Pick<Root, "receivers" | "limits">;

/**
 * Determines which roles receive a message in both versions. If the message now goes in the
 * opposite direction, no role does, and its types matter only to code.
 */
function deliveryOf(had: readonly string[], has: readonly string[]): Delivery {
  const receivers = had.filter((role) => has.includes(role));
  return receivers.length > 0
    ? { receivers }
    : { receivers: had, limits: { forward: "ok", backward: "ok" } };
}

/**
 * Returns the definitions of a message that both versions have, of its response, and of its parts.
 */
export function rootsOf(now: Side, before: Message, after: Message): readonly Root[] {
  const { envelope } = now.protocol;
  const [had, has] = [before, after].map(({ sender }) => receiversOf(now, sender));
  const sent = deliveryOf(had!, has!);
  const requesters = (receivers: readonly string[]): readonly string[] =>
    receivers.map((role) => receiverOf(now.protocol, role));
  const answered = deliveryOf(requesters(had!), requesters(has!));
  const message: Root = {
    before: before.definition,
    after: after.definition,
    label: `${after.name} ${after.kind}`,
    ...sent,
    payload: versionsOf(envelope[after.kind].payload, before.payload, after.payload),
  };
  const parts = partsOf(answered, before, after);
  if (before.kind !== "request" || after.kind !== "request") return [message, ...parts];
  const { response } = envelope;
  const [oldResponse, newResponse] = [before.responseDefinition, after.responseDefinition];
  if (response === undefined || oldResponse === undefined || newResponse === undefined)
    return [message, ...parts];
  return [
    message,
    ...parts,
    {
      before: oldResponse,
      after: newResponse,
      label: `${after.name} response`,
      ...answered,
      payload: versionsOf(response.result, before.result, after.result),
    },
  ];
}

/** Returns the definitions that belong to a message but are sent inside other messages. */
function partsOf(answered: Delivery, before: Message, after: Message): readonly Root[] {
  const rootOf = (
    label: string,
    old: string | undefined,
    own: string | undefined,
  ): readonly Root[] =>
    old === undefined || own === undefined
      ? []
      : [
          {
            before: old,
            after: own,
            label: `${after.name} ${label}`,
            ...answered,
            isPart: true,
          },
        ];
  const options = rootOf("registration", before.registration?.options, after.registration?.options);
  if (before.kind !== "request" || after.kind !== "request") return options;
  return [
    ...options,
    ...rootOf("partial result", before.partialResult, after.partialResult),
    ...rootOf("error data", before.errorData, after.errorData),
  ];
}

function versionsOf(
  field: string,
  before: Payload | undefined,
  after: Payload | undefined,
): VersionsOfPayload {
  return {
    field,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

/** Returns the definition of error responses, which can answer any request. */
export function errorRoots(old: Side, now: Side): readonly Root[] {
  const [before, after] = [old.protocol.bases.error, now.protocol.bases.error];
  if (before === undefined || after === undefined) return [];
  if (!old.definitions.has(before) || !now.definitions.has(after)) return [];
  const { roles, messages } = now.protocol;
  // Any role that sends requests may receive error responses.
  const receivers = roles.filter((role) =>
    messages.some(
      ({ kind, sender }) => kind === "request" && (sender === role || sender === "both"),
    ),
  );
  return [{ before, after, label: "error response", receivers }];
}
