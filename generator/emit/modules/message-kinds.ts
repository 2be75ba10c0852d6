import type { Protocol, When } from "../../model/protocol.js";
import type { PackageNames } from "./package-names.js";

/** A kind of message: how to recognise it, and the names that are used for it. */
export interface NamedKind {
  /** The protocol's word for such a message, such as `request` or `notification`. */
  readonly kind: string;
  readonly when: When;
  /** The field that contains the message name. Undefined for responses without a name. */
  readonly name: string | undefined;
  /** The word for such a message in type names, such as `Request` or `Notification`. */
  readonly type: string;
  /** Name of the type that maps the names of these messages to their types. */
  readonly map: string;
  /** Name of the type that lists the names of these messages. */
  readonly key: string;
}

/** Returns a protocol's kinds of messages: requests, events and responses. */
export function messageKinds(
  { envelope: { request, event, response } }: Protocol,
  { Event, Events, event: noun }: PackageNames,
): readonly NamedKind[] {
  const kinds = [
    ["request", "Request", "Requests", "RequestName", request],
    [noun, Event, Events, `${Event}Name`, event],
    ["response", "Response", "Requests", "RequestName", response],
  ] as const;
  return kinds.flatMap(([kind, type, map, key, arm]) =>
    arm === undefined ? [] : [{ kind, type, map, key, when: arm.when, name: arm.name }],
  );
}
