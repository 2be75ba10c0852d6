import type { Faults } from "../../base/faults.js";
import type { Json } from "../../model/types.js";
import type {
  DescribedEvent,
  DescribedRequest,
  MessagesByMethod,
  MessagesByTable,
} from "../description/description-types.js";
import { definitionsIn, type Draft } from "../description/draft.js";
import { pointerStep } from "../../../runtime/base/json-pointer.js";
import { withNames } from "./named-references.js";
import { isJsonObject, joinPointer, type JsonFile, type JsonObject } from "../source/json-text.js";

/**
 * Converts a schema whose definitions name their methods to one with a message table. Lists each
 * method with its direction, and renames the payloads, because the messages' wire definitions need
 * those names.
 */
export function listMethods(draft: Draft, convention: MessagesByMethod): Draft {
  const schema = definitionsIn(draft.root);
  if (schema === undefined) return draft;
  const { description, source } = draft;
  const { root, container } = schema;
  const methods = findMethods(schema.definitions, container, convention, source.file, draft.faults);
  const names = new Map(methods.map(({ definition, payload }) => [definition, payload]));
  const definitions = Object.entries(schema.definitions).map(([name, node]): [string, Json] => [
    names.get(name) ?? name,
    withNames(node, names),
  ]);
  const senders = methods.map(({ method, sender }): [string, string] => [method, sender]);
  return {
    ...draft,
    root: { ...root, [container]: Object.fromEntries(definitions) },
    renamed: new Map(
      methods.map(({ definition, payload }) => [pointerStep(payload), pointerStep(definition)]),
    ),
    description: {
      ...description,
      messages: tableOf(methods, convention),
      directions: {
        ...description.directions,
        exceptions: { ...Object.fromEntries(senders), ...description.directions.exceptions },
      },
    },
  };
}

/** A definition that names a method, along with details of the method. */
interface Method {
  readonly method: string;
  readonly kind: "request" | "response" | "event";
  readonly sender: string;
  /** The definition's name in the schema. `payload` contains its new name. */
  readonly definition: string;
  readonly payload: string;
}

function findMethods(
  definitions: JsonObject,
  container: string,
  convention: MessagesByMethod,
  file: JsonFile,
  faults: Faults,
): readonly Method[] {
  const senders = new Map(Object.entries(convention.senders));
  return Object.entries(definitions).flatMap(([definition, node]): Method[] => {
    const method = isJsonObject(node) ? node[convention.method] : undefined;
    if (!isJsonObject(node) || typeof method !== "string") return [];
    const kind = kindOf(convention, definition);
    const side = node[convention.side];
    const sender = typeof side === "object" ? undefined : senders.get(String(side));
    if (kind === undefined || sender === undefined) {
      const patterns = Object.values(convention.rename).map(({ from }) => from);
      const [message, hint] =
        kind === undefined
          ? [
              `Cannot determine which part "${definition}" plays in the method "${method}": its name matches no kind`,
              `The description's "rename" lists ${patterns.join(", ")}`,
            ]
          : [
              `Cannot determine the sender of "${method}": the description has no role ${JSON.stringify(side)}`,
              `Its "senders" list ${[...senders.keys()].join(", ")}`,
            ];
      faults.add("ERR_MESSAGE", message, file.locate(joinPointer("", container, definition)), hint);
      return [];
    }
    return [
      { method, kind, sender, definition, payload: renamed(convention.rename[kind], definition) },
    ];
  });
}

function tableOf(methods: readonly Method[], convention: MessagesByMethod): MessagesByTable {
  // These are maps, because names such as `__proto__` have a special meaning as object keys.
  const requests = new Map<string, DescribedRequest>();
  const events = new Map<string, DescribedEvent>();
  const described = new Map(Object.entries(convention.docs));
  for (const { method, kind, payload } of methods) {
    const docs = described.get(method) ?? `The method \`${method}\`.`;
    if (kind === "event") events.set(method, { docs, params: payload });
    else {
      const part = kind === "request" ? { params: payload } : { result: payload };
      requests.set(method, { docs, ...requests.get(method), ...part });
    }
  }
  return {
    by: "table",
    requests: Object.fromEntries(requests),
    events: Object.fromEntries(events),
    error: convention.error,
  };
}

function kindOf(
  convention: MessagesByMethod,
  name: string,
): "request" | "response" | "event" | undefined {
  return (["request", "response", "event"] as const).find((kind) => {
    const [head = "", tail = ""] = convention.rename[kind].from.split("*");
    return name.startsWith(head) && name.endsWith(tail) && name.length > head.length + tail.length;
  });
}

function renamed(
  { from, to }: { readonly from: string; readonly to: string },
  name: string,
): string {
  const [head = "", tail = ""] = from.split("*");
  return to.replace("*", () => name.slice(head.length, name.length - tail.length));
}
