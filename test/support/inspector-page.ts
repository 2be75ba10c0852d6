import { inflateRawSync } from "node:zlib";
import type { PageData } from "../../sessions/show/inspector/page-data.js";
import { judgeRecording, type JudgeOptions } from "../../sessions/judge/judge-recording.js";
import { RecordingPage, type PageLimits } from "../../sessions/show/inspector/recording-page.js";
import { listRules } from "../../cli/index.js";
import { readSessionRules } from "../../sessions/judge/session-rules.js";
import type { LintedProtocol } from "../../sessions/judge/lint-options.js";
import { openRecording } from "../../sessions/read/recording.js";

/** Reads a page's data and the JSON of its messages. */
export function readPage(html: string): {
  readonly data: PageData;
  readonly messages: readonly string[];
} {
  const texts = (pattern: RegExp): string[] =>
    [...html.matchAll(pattern)].map(([, base64]) =>
      inflateRawSync(Buffer.from(base64!, "base64")).toString(),
    );
  const [index = ""] = texts(/<script type="text\/plain" id="index">([^<]*)<\/script>/g);
  return {
    data: JSON.parse(index) as PageData,
    messages: texts(/<script type="text\/plain" class="block">([^<]*)<\/script>/g).flatMap((text) =>
      text.split("\n"),
    ),
  };
}

/** Returns the page for a recording. Strings are lines that are written unchanged. */
export async function pageOf(
  lines: readonly (object | string)[],
  protocol: LintedProtocol,
  { limits, ...options }: Partial<JudgeOptions> & { readonly limits?: PageLimits } = {},
): Promise<string> {
  const texts = lines.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
  const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(""));
  const recording = await openRecording([{ name: "x.jsonl", chunks: [bytes] }], protocol);
  const page = new RecordingPage(protocol, limits);
  const rules = await readSessionRules(protocol.name);
  const report = await judgeRecording(recording, protocol, {
    name: "x.jsonl",
    profile: "wire",
    rules,
    host: undefined,
    severities: new Map(),
    ...options,
    viewer: page,
  });
  return page.print(report, listRules(rules, options.host), recording);
}

/** Creates a recording entry. */
export const recorded = (
  from: "client" | "adapter",
  time: number,
  message: object,
  session?: number,
): object => ({ kind: "message", session, time, from, message });
