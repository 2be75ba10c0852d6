import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { printRecordingPage } from "wirewright";
import type { AdapterResults } from "./adapter-results.js";
import { reportJunit } from "./report-junit.js";
import { reportBadge, reportMarkdown } from "./report-markdown.js";
import { recordingPageName, reportPages } from "./report-page.js";

/** The files to which reports are written. */
export interface ReportFiles {
  readonly json?: string;
  readonly junit?: string;
  readonly markdown?: string;
  readonly badge?: string;
  /** Folder for the HTML pages. */
  readonly page?: string;
}

/** Writes a file atomically. */
export function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.part`;
  writeFileSync(part, text);
  renameSync(part, path);
}

/**
 * Writes reports. The JSON file contains one adapter's results, or an array of results. The badge
 * shows the first adapter's results.
 *
 * @param recordings Folder that contains one folder of recordings per adapter.
 */
export async function writeReports(
  all: readonly AdapterResults[],
  { json, junit, markdown, badge, page }: ReportFiles,
  recordings?: string,
): Promise<void> {
  const printed = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
  if (json !== undefined) writeWhole(json, printed(all.length === 1 ? all[0] : all));
  if (junit !== undefined) writeWhole(junit, reportJunit(all));
  if (markdown !== undefined) writeWhole(markdown, reportMarkdown(all));
  if (badge !== undefined) writeWhole(badge, printed(reportBadge(all[0]!)));
  if (page !== undefined) await writePages(all, page, recordings);
}

async function writePages(
  all: readonly AdapterResults[],
  folder: string,
  recordings: string | undefined,
): Promise<void> {
  const wanted = new Map<string, string>();
  const pages = reportPages(all, (results, recording) => {
    if (recordings === undefined) return undefined;
    const file = join(recordings, results.adapter.name, recording);
    if (!existsSync(file)) return undefined;
    const name = recordingPageName(results, recording);
    wanted.set(name, file);
    return name;
  });
  for (const [name, file] of wanted)
    writeWhole(join(folder, name), await printRecordingPage([file], "dap"));
  for (const [name, text] of pages) writeWhole(join(folder, name), text);
}
