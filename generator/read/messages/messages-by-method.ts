import type { Json } from "../../model/types.js";
import type {
  DescribedEvent,
  DescribedRequest,
  MessagesByMethod,
} from "../description/description-types.js";
import { definitionsIn, withTable, type Draft } from "../description/draft.js";
import { stemOf } from "./name-patterns.js";
import { withNames } from "../schema/definition-references.js";
import { isJsonObject, joinPointer } from "../source/json-text.js";

/**
 * Converts a schema whose definitions name their methods to one with a message table. Lists each
 * method with its direction, and renames the payloads, because the messages' wire definitions need
 * those names.
 */
export function listMethods(draft: Draft, convention: MessagesByMethod): Draft {
  const schema = definitionsIn(draft.root);
  if (schema === undefined) return draft;
  const { container } = schema;
  const roles = new Map(Object.entries(convention.senders));
  const docs = new Map(Object.entries(convention.docs));
  // These are maps, because names such as `__proto__` have a special meaning as object keys.
  const requests = new Map<string, DescribedRequest>();
  const events = new Map<string, DescribedEvent>();
  const senders = new Map<string, string>();
  const names = new Map<string, string>();
  for (const [definition, node] of Object.entries(schema.definitions)) {
    const method = isJsonObject(node) ? node[convention.method] : undefined;
    if (!isJsonObject(node) || typeof method !== "string") continue;
    const refuse = (message: string, hint: string): void =>
      draft.faults.add(
        "ERR_MESSAGE",
        message,
        draft.source.file.locate(joinPointer("", container, definition)),
        hint,
      );
    const [kind, payload = ""] = partOf(convention, definition);
    const side = node[convention.side];
    const sender = typeof side === "object" ? undefined : roles.get(String(side));
    if (kind === undefined)
      refuse(
        `Cannot determine which part "${definition}" plays in the method "${method}": its name matches no kind`,
        `The description's "rename" lists ${Object.values(convention.rename)
          .map(({ from }) => from)
          .join(", ")}`,
      );
    else if (sender === undefined)
      refuse(
        `Cannot determine the sender of "${method}": the description has no role ${JSON.stringify(side)}`,
        `Its "senders" list ${[...roles.keys()].join(", ")}`,
      );
    else {
      names.set(definition, payload);
      senders.set(method, sender);
      const row = { docs: docs.get(method) ?? `The method \`${method}\`.` };
      const part = kind === "response" ? { result: payload } : { params: payload };
      if (kind === "event") events.set(method, { ...row, ...part });
      else requests.set(method, { ...row, ...requests.get(method), ...part });
    }
  }
  const definitions = Object.entries(schema.definitions).map(([name, node]): [string, Json] => [
    names.get(name) ?? name,
    withNames(node, names),
  ]);
  return {
    ...withTable(draft, { requests, events, senders, error: convention.error }),
    root: { ...schema.root, [container]: Object.fromEntries(definitions) },
    places: new Map(
      [...names].map(([name, type]) => [
        joinPointer("", container, type),
        { file: draft.source.file, pointer: joinPointer("", container, name) },
      ]),
    ),
  };
}

/** Returns which part of its method a definition is, and the new name of the definition. */
function partOf(
  { rename }: MessagesByMethod,
  name: string,
): readonly [kind?: "request" | "response" | "event", name?: string] {
  for (const kind of ["request", "response", "event"] as const) {
    const stem = stemOf(rename[kind].from, name);
    if (stem !== undefined) return [kind, rename[kind].to.replace("*", () => stem)];
  }
  return [];
}
