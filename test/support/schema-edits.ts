import type { ProtocolDiff } from "../../cli/index.js";
import type { Json } from "../../generator/model/types.js";

type Holder = { [key: string]: Json };

/**
 * Applies an edit to a copy of a document: `set PATH VALUE`, `add PATH VALUE` to an array, or
 * `drop PATH`.
 *
 * A path is a JSON Pointer without its first slash. In an array, a step may also be an item's name,
 * method or id.
 */
export function edited(document: Json, edit: string): Json {
  const [, verb = "", path = "", text = "null"] = /^(set|add|drop) (\S+)(?: (.+))?$/.exec(edit)!;
  const copy = structuredClone(document);
  const steps = path.split("/").map((step) => step.replaceAll("~1", "/"));
  const last = steps.pop()!;
  const holder = steps.reduce<Json>((part, step) => (part as Holder)[keyIn(part, step)]!, copy);
  const key = keyIn(holder, last);
  const value = JSON.parse(text) as Json;
  if (verb === "set") (holder as Holder)[key] = value;
  else if (verb === "add") ((holder as Holder)[key] as Json[]).push(value);
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete (holder as Holder)[key];
  if (JSON.stringify(copy) === JSON.stringify(document))
    throw new Error(`changes nothing: ${edit}`);
  return copy;
}

function keyIn(part: Json, step: string): string {
  if (!Array.isArray(part)) return step;
  const index = (part as readonly Json[]).findIndex((each) =>
    ["name", "method", "id", "domain"].some((key) => (each as Holder | null)?.[key] === step),
  );
  return index < 0 ? step : String(index);
}

/**
 * Formats findings as lines, with the change, its effect on readers, and the sides whose code
 * breaks.
 */
export function findingLines({ findings }: ProtocolDiff): readonly string[] {
  return findings.map(({ severity, rule, at, message, wire, source }) => {
    const fates = Object.entries(wire)
      .filter(([, verdict]) => verdict !== "ok")
      .map(([pair, verdict]) => `${pair} ${verdict}`);
    const roles = Object.entries(source)
      .filter(([, { compiles }]) => !compiles)
      .map(([role]) => role);
    const code = roles.length === 0 ? [] : [`code of ${roles.join(" and ")}`];
    const facts = [message, ...fates, ...code].filter((fact) => fact !== "");
    return `${severity} ${rule} ${at}${facts.length === 0 ? "" : `: ${facts.join(", ")}`}`;
  });
}
