import { InputError } from "../../base/input-error.js";
import type { Json } from "../../model/types.js";
import type {
  DescribedEvent,
  DescribedRequest,
  MessagesByMethod,
  MessagesByTable,
} from "../description/description-types.js";
import type { Draft } from "../description/draft.js";
import { isJsonObject, joinPointer, type JsonFile } from "../source/json-text.js";

type Node = { readonly [key: string]: Json };

/**
 * Turns a schema whose definitions name their methods into one with a table of messages: payloads get names that
 * leave those of the wire messages free, and each method is listed with its direction.
 *
 * @throws InputError `ERR_MESSAGE` for a definition that fits no kind, or a side that nobody knows.
 */
export function listMethods(draft: Draft): Draft {
  const { root, description, source } = draft;
  const how = description.messages;
  if (how.by !== "method" || !isJsonObject(root)) return draft;
  const container = Object.hasOwn(root, "$defs") ? "$defs" : "definitions";
  const raw = root[container];
  if (!isJsonObject(raw)) return draft;
  const methods = findMethods(raw, container, how, source.file);
  const names = new Map(methods.map(({ definition, payload }) => [definition, payload]));
  const omitted = new Set(description.schema.omit);
  const definitions = Object.entries(raw)
    .filter(([name]) => !omitted.has(name))
    .map(([name, node]): [string, Json] => [names.get(name) ?? name, withNames(node, names)]);
  const senders = methods.map(({ method, sender }): [string, string] => [method, sender]);
  return {
    ...draft,
    root: { ...root, [container]: Object.fromEntries(definitions) },
    description: {
      ...description,
      messages: tableOf(methods, how),
      directions: {
        ...description.directions,
        exceptions: { ...Object.fromEntries(senders), ...description.directions.exceptions },
      },
    },
  };
}

/** A definition that names its method. */
interface Method {
  readonly method: string;
  readonly kind: "request" | "response" | "event";
  readonly sender: string;
  /** What the definition is called, and what it is to be called as a payload. */
  readonly definition: string;
  readonly payload: string;
}

function findMethods(
  definitions: Node,
  container: string,
  how: MessagesByMethod,
  file: JsonFile,
): readonly Method[] {
  const senders = new Map(Object.entries(how.senders));
  return Object.entries(definitions).flatMap(([definition, node]): Method[] => {
    const method = isJsonObject(node) ? node[how.method] : undefined;
    if (!isJsonObject(node) || typeof method !== "string") return [];
    const kind = kindOf(how, definition);
    const side = node[how.side];
    const sender = typeof side === "object" ? undefined : senders.get(String(side));
    if (kind === undefined || sender === undefined)
      throw new InputError(
        "ERR_MESSAGE",
        kind === undefined
          ? `Cannot tell what "${definition}" is to the method "${method}": its name fits no kind`
          : `Cannot tell who sends "${method}": the side ${JSON.stringify(side)} is not described`,
        file.locate(joinPointer("", container, definition)),
      );
    return [{ method, kind, sender, definition, payload: renamed(how.rename[kind], definition) }];
  });
}

function tableOf(methods: readonly Method[], how: MessagesByMethod): MessagesByTable {
  // Methods are foreign names: as keys of an object, some would mean something else.
  const requests = new Map<string, DescribedRequest>();
  const events = new Map<string, DescribedEvent>();
  const described = new Map(Object.entries(how.docs));
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
    ...(how.error === undefined ? {} : { error: how.error }),
  };
}

function kindOf(how: MessagesByMethod, name: string): "request" | "response" | "event" | undefined {
  return (["request", "response", "event"] as const).find((kind) => {
    const [head = "", tail = ""] = how.rename[kind].from.split("*");
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

function withNames(node: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map((each: Json) => withNames(each, names));
  return Object.fromEntries(
    Object.entries(node as Node).map(([key, each]): [string, Json] => {
      const target = key === "$ref" && typeof each === "string" ? each.split("/").at(-1)! : "";
      const name = names.get(target);
      return name === undefined
        ? [key, withNames(each, names)]
        : [key, `${String(each).slice(0, -target.length)}${name}`];
    }),
  );
}
