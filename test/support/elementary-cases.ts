import type { Protocol } from "../../generator/model/protocol.js";
import { readSchema } from "./diff-sources.js";
import {
  elementaryChanges,
  schemaWith,
  type ElementaryChange,
  type Reader,
} from "./elementary-changes.js";

const readers: readonly Reader[] = ["adapter", "client"];
export const pairs = ["new-client/old-adapter", "old-client/new-adapter"] as const;

export interface Case {
  readonly change: ElementaryChange;
  readonly reader: Reader;
  readonly before: Protocol;
  readonly after: Protocol;
}

export const cases: readonly Case[] = await Promise.all(
  elementaryChanges.flatMap((change) =>
    readers.map(async (reader) => ({
      change,
      reader,
      before: await readSchema(schemaWith(change.before, reader)),
      after: await readSchema(schemaWith(change.after, reader)),
    })),
  ),
);

export function caseName({ change, reader }: Case): string {
  return `${change.title}, read by the ${reader}`;
}

/** Returns the direction in which values pass between two versions. */
export function way(reader: Reader, pair: (typeof pairs)[number]): "oldToNew" | "newToOld" {
  return pair.includes(`new-${reader}`) ? "oldToNew" : "newToOld";
}
