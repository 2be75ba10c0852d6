import { bundledModelsPath, bundledProtocols } from "../base/bundled.js";
import { files } from "../base/files.js";
import { oncePerText } from "../model/once.js";
import type { Protocol } from "../model/protocol.js";
import type { NamedVersion } from "./open-description.js";
import type { ReadOptions } from "./read-options.js";

/**
 * Returns the model of a bundled protocol's version as the published tool contains it, which saves
 * reading the schema. Returns undefined if the options choose another schema, and in a clone.
 */
export function readBuiltModel(
  { protocol, version }: NamedVersion,
  { schema, overlays = [] }: ReadOptions,
): Protocol | undefined {
  if (schema !== undefined || overlays.length > 0) return undefined;
  if (!bundledProtocols().includes(protocol)) return undefined;
  const models = openModels(bundledModelsPath(protocol));
  if (models === undefined) return undefined;
  const { versions, read } = models;
  const fields = versions[version ?? Object.keys(versions)[0]!];
  if (fields === undefined) return undefined;
  const model = Object.entries(fields).map(([field, lines]) => [
    field,
    Array.isArray(lines) ? lines.map(read) : read(lines),
  ]);
  return Object.fromEntries(model) as Protocol;
}

/** Opens a protocol's models. Each file is read once, because commands compare several versions. */
const openModels = oncePerText((path) => {
  if (!files.exists(path)) return undefined;
  const [index = "", ...values] = files.readText(path).split("\n");
  const read = (line: number): unknown => JSON.parse(values[line]!);
  return { versions: JSON.parse(index) as ModelIndex, read };
});

/** The lines that hold each version's fields; those of a list's members, one by one. */
interface ModelIndex {
  readonly [version: string]: { readonly [field: string]: number | number[] };
}

/**
 * Prints the models of a protocol's versions, the current one first. The first line is their index;
 * of each other value, versions that have it in common share a line.
 */
export function printBuiltModels(models: readonly Protocol[]): string {
  const lines = new Map<string, number>();
  const lineOf = (value: unknown): number => {
    const text = JSON.stringify(value);
    if (!lines.has(text)) lines.set(text, lines.size);
    return lines.get(text)!;
  };
  const index = models.map((model) => {
    const fields = Object.entries(model as object as Readonly<Record<string, unknown>>)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [field, Array.isArray(value) ? value.map(lineOf) : lineOf(value)]);
    return [model.version, Object.fromEntries(fields)];
  });
  return [JSON.stringify(Object.fromEntries(index)), ...lines.keys()].join("\n");
}
