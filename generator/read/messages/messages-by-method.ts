import { InputError } from "../../base/input-error.js";
import type { Json } from "../../model/types.js";
import type {
  DescribedEvent,
  DescribedRequest,
  Description,
  MessagesByMethod,
} from "../description/description.js";
import { isJsonObject, joinPointer, type JsonFile } from "../source/json-text.js";

type Node = { readonly [key: string]: Json };

/**
 * Turns a schema whose definitions name their methods into one with a table of messages: payloads get names that
 * leave those of the wire messages free, and each method is listed with its direction.
 *
 * @throws InputError `ERR_MESSAGE` for a definition that fits no kind, or a side that nobody knows.
 */
export function listMethods(
  file: JsonFile,
  root: Json,
  description: Description,
): { readonly root: Json; readonly description: Description } {
  const how = description.messages;
  if (how.by !== "method" || !isJsonObject(root)) return { root, description };
  const container = Object.hasOwn(root, "$defs") ? "$defs" : "definitions";
  const raw = root[container];
  if (!isJsonObject(raw)) return { root, description };
  // Methods are foreign names: as keys of an object, some would mean something else.
  const requests = new Map<string, DescribedRequest>();
  const events = new Map<string, DescribedEvent>();
  const exceptions = new Map<string, string>();
  const senders = new Map(Object.entries(how.senders));
  const described = new Map(Object.entries(how.docs));
  const names = new Map<string, string>();
  for (const [name, node] of Object.entries(raw)) {
    if (!isJsonObject(node)) continue;
    const method = node[how.method];
    if (typeof method !== "string") continue;
    const pointer = joinPointer("", container, name);
    const kind = kindOf(how, name);
    const sender = senders.get(String(node[how.side]));
    if (kind === undefined || sender === undefined)
      throw new InputError(
        "ERR_MESSAGE",
        kind === undefined
          ? `Cannot tell what "${name}" is to the method "${method}": its name fits no kind`
          : `Cannot tell who sends "${method}": the side ${JSON.stringify(node[how.side])} is not described`,
        file.locate(pointer),
      );
    const payload = renamed(how.rename[kind], name);
    names.set(name, payload);
    exceptions.set(method, sender);
    const docs = described.get(method) ?? `The method \`${method}\`.`;
    if (kind === "event") events.set(method, { docs, params: payload });
    else {
      const part = kind === "request" ? { params: payload } : { result: payload };
      requests.set(method, { docs, ...requests.get(method), ...part });
    }
  }
  const omitted = new Set(description.schema.omit);
  const definitions = Object.entries(raw)
    .filter(([name]) => !omitted.has(name))
    .map(([name, node]): [string, Json] => [names.get(name) ?? name, withNames(node, names)]);
  return {
    root: { ...root, [container]: Object.fromEntries(definitions) },
    description: {
      ...description,
      messages: {
        by: "table",
        requests: Object.fromEntries(requests),
        events: Object.fromEntries(events),
        ...(how.error === undefined ? {} : { error: how.error }),
      },
      directions: {
        ...description.directions,
        exceptions: { ...Object.fromEntries(exceptions), ...description.directions.exceptions },
      },
    },
  };
}

/** A schema without its texts. */
export function withoutTexts(root: Json): Json {
  return JSON.parse(
    JSON.stringify(root, (key, value: unknown) =>
      (key === "description" || key === "title") && typeof value === "string" ? undefined : value,
    ),
  ) as Json;
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
