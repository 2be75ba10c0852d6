import { statedFields } from "../../base/stated-fields.js";
import type { Message } from "../../model/protocol.js";
import type { Gate } from "../../model/types.js";
import type { DescribedRequest, Description } from "./description-types.js";
import type { Notes } from "../schema/schema-file.js";

/** Returns the role that sends a message, or `both`. */
export function senderOf({ directions }: Description, kind: Message["kind"], name: string): string {
  return (
    ownField(directions.exceptions, name) ??
    (kind === "request" ? directions.requests : directions.events)
  );
}

/**
 * Returns a message's gates. `gate` is the capability that the receiver must have announced.
 * `senderGate` is the capability that the sender announces.
 */
export function gatesOf(
  { gates }: Description,
  name: string,
): Pick<Message, "gate" | "senderGate"> {
  const gate = ownField(gates?.messages, name);
  const senderGate = ownField(gates?.senders, name);
  return statedFields({
    gate: gate === undefined ? undefined : readGate(gate),
    senderGate: senderGate === undefined ? undefined : readGate(senderGate),
  });
}

/** Looks up a message by name, which may be the name of a property of all objects. */
function ownField(
  fields: Readonly<Record<string, string>> | undefined,
  name: string,
): string | undefined {
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Parses a gate, written `role.flag`. */
export function readGate(text: string): Gate {
  const dot = text.indexOf(".");
  return { role: text.slice(0, dot), capability: text.slice(dot + 1) };
}

/** Collects a description's facts about definitions and properties. */
export function readTypeNotes(description: Description): Notes {
  const { forgives = {}, untyped = "meant", oneOf, formats = false } = description.schema;
  return {
    gates: new Map(
      Object.entries(description.gates?.properties ?? {}).map(([name, text]) => [
        name,
        readGate(text),
      ]),
    ),
    defaults: new Map(Object.entries(description.defaults ?? {})),
    limits: new Map(Object.entries(description.limits ?? {})),
    extensible: new Set(description.extensible),
    annotations: annotationsOf(description),
    forgives,
    untyped,
    overlapping: oneOf === "any",
    formats,
  };
}

/** Returns the names of the definitions that a description's table of messages names. */
export function payloadNames({ messages }: Description): readonly string[] {
  if (messages.by !== "table") return [];
  const rows: readonly DescribedRequest[] = [
    ...Object.values(messages.requests),
    ...Object.values(messages.events),
  ];
  const named = rows.flatMap(({ params, result, partialResult, errorData, registration }) => [
    params,
    result,
    partialResult,
    errorData,
    registration?.options,
  ]);
  return [...new Set([messages.error, ...named])]
    .filter((name) => name !== undefined)
    .map((name) => name.replace(/\?$/, ""));
}

/** Returns the names of the additional keywords that do not affect validity. */
export function annotationsOf({ schema }: Description): ReadonlySet<string> {
  return new Set([...(schema.annotations ?? []), ...Object.values(schema.forgives ?? {})]);
}
