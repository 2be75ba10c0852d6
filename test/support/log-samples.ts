import { readFileSync } from "node:fs";
import type { RecordedEntry } from "../../sessions/read/recorded-entry.js";
import { unescapeBytes } from "./frame-cases.js";
import { fromRoot } from "./paths.js";

/** A log as one particular program writes it, and the messages in it. */
export interface LogSample {
  /** The program, library or tool. */
  readonly writer: string;
  readonly about: string;
  /** Name of the protocol. Default: `dap`. */
  readonly protocol?: string;
  readonly log: string;
  readonly entries: readonly RecordedEntry[];
}

const sample =
  /^### (.*)\n\n(?:<!-- (.*) -->\n\n)?```log\n([^]*?)\n```\n\n```entries\n([^]*?)\n```$/gm;

/** Logs of many programs, from `test/cases/logs.md`. */
export const logSamples: readonly LogSample[] = readFileSync(fromRoot("test/cases/logs.md"), "utf8")
  .split(/^## /m)
  .slice(1)
  .flatMap((section) =>
    [...section.matchAll(sample)].map(([, about, protocol, log, entries]) => ({
      writer: section.split("\n")[0]!,
      about: about!,
      ...(protocol !== undefined && { protocol }),
      log: unescapeBytes(log!).toString(),
      entries: entries!.split("\n").map((line) => JSON.parse(line) as RecordedEntry),
    })),
  );
