import type { ReaderPolicy } from "../diff/compare/outcomes.js";
import type { Level, ProtocolDiff } from "../diff/finding.js";
import { reportRangeJson } from "../diff/report/report-json.js";
import { reportRangeMarkdown, reportRangeText } from "../diff/report/report-range.js";
import { compareVersions, type RangeComparison } from "../diff/version-range.js";
import { InputError } from "../base/input-error.js";
import { describedVersions, readProtocol } from "../read/read-protocol.js";
import { unknownVersion } from "../read/unknown-version.js";
import type { Format } from "./diff-report.js";
import { paint } from "../base/paint.js";
import type { Terminal } from "../base/terminal.js";

export interface RangeOptions {
  readonly reader: ReaderPolicy;
  readonly select: (diff: ProtocolDiff) => ProtocolDiff;
  readonly expand: boolean;
  readonly terminal: Pick<Terminal, "colours" | "columns">;
  readonly onProgress: (text: string) => void;
}

/** Compares all versions of a range with each other. Returns the report, and the number of findings by level. */
export async function compareRange(
  range: string,
  protocol: string,
  format: Format,
  options: RangeOptions,
): Promise<{ readonly text: string; readonly counts: Readonly<Record<Level, number>> }> {
  if (!isRangeFormat(format))
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot print a range as ${format}`,
      {},
      `Use ${rangeFormats.slice(0, -1).join(", ")} or ${rangeFormats.at(-1)}`,
    );
  const known = await describedVersions(protocol);
  const [from, to] = rangeEnds(range, known, protocol);
  const protocols = [];
  for (const version of known.slice(known.indexOf(from), known.indexOf(to) + 1))
    protocols.push(await readProtocol(protocol, { version }));
  const { reader, select, expand, terminal, onProgress } = options;
  const compared = compareVersions(protocols, {
    reader,
    select,
    onProgress: (done, all) => onProgress(done < all ? `${done} of ${all} pairs` : ""),
  });
  const counts = { breaking: 0, risky: 0, lossy: 0, safe: 0, doc: 0 };
  for (const pair of compared.pairs)
    for (const level of Object.keys(counts) as Level[]) counts[level] += pair.counts[level];
  return { text: renderRange(compared, format, { expand, terminal }), counts };
}

export const rangeFormats = ["text", "json", "markdown"] as const satisfies readonly Format[];
type RangeFormat = (typeof rangeFormats)[number];

function isRangeFormat(format: Format): format is RangeFormat {
  return rangeFormats.some((each) => each === format);
}

export function renderRange(
  range: RangeComparison,
  format: RangeFormat,
  { expand, terminal }: Pick<RangeOptions, "expand" | "terminal">,
): string {
  switch (format) {
    case "text":
      return reportRangeText(range, (colour, each) => paint(terminal, colour, each), expand);
    case "json":
      return reportRangeJson(range);
    case "markdown":
      return reportRangeMarkdown(range);
  }
}

function rangeEnds(
  range: string,
  known: readonly string[],
  protocol: string,
): readonly [string, string] {
  const [from = "", to = ""] = range.split("..");
  const ends = [from === "" ? known[0]! : from, to === "" ? known.at(-1)! : to] as const;
  for (const end of ends) {
    if (known.includes(end)) continue;
    throw unknownVersion(end, known, protocol);
  }
  if (!range.includes("..") || known.indexOf(ends[0]) > known.indexOf(ends[1]))
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot take "${range}" for a range`,
      {},
      `Write the older version first, as in ${known[0]}..${known.at(-1)}`,
    );
  return ends;
}
