import { createValidator } from "../../../runtime/validation/validator.js";
import { describeIssue } from "../../../runtime/validation/describe-issue.js";
import { InputError } from "../../../generator/base/input-error.js";
import { countText } from "../../../generator/base/plural.js";
import { RecordingPage } from "../../../sessions/show/inspector/recording-page.js";
import { diffVersions } from "../../../cli/diff-versions.js";
import { generate } from "../../../cli/generate.js";
import { openProtocol, openRecordedProtocol } from "../../../sessions/judge/open-protocol.js";
import { printDiff } from "../../../cli/print-diff.js";
import { openRecordingFiles } from "../../../sessions/read/recording-files.js";
import { judgeRecording } from "../../../sessions/judge/judge-recording.js";
import { severityCounts } from "../../../generator/print/printed-finding.js";
import type { LintReport } from "../../../sessions/judge/report.js";
import { listRules } from "../../../sessions/judge/rules.js";
import { validationRulesOf } from "../../../generator/model/validation-rules.js";
import { readProtocol } from "../../../generator/read/read-protocol.js";
import type { SitePage } from "../pages/site-pages.js";
import { judgingRules } from "../protocol/judging-rules.js";
import { protocolPages } from "../protocol/protocol-pages.js";
import { contents } from "./mapped-files.js";

/** A file or pasted text from the visitor. */
export interface GivenFile {
  readonly name: string;
  readonly text: string;
}

/** A protocol that is included with the tool. */
export interface OfferedProtocol {
  readonly name: string;
  readonly title: string;
  /** The bundled versions, newest first. Empty if the visitor has to provide the schema. */
  readonly versions: readonly string[];
  readonly dialects: readonly string[];
}

/**
 * The protocol that a task uses: a bundled version such as `dap@1.71.0`, or a protocol whose schema
 * or description is among the files.
 */
export interface ChosenProtocol {
  readonly protocol: string;
  readonly files: readonly GivenFile[];
}

export interface LintedLog {
  /** The inspector page as HTML. */
  readonly page: string;
  /** How many messages and findings there are, in words. */
  readonly summary: string;
  readonly report: LintReport;
}

export interface ComparedVersions {
  readonly html: string;
  readonly json: string;
}

/** A page about a message or type, in Markdown. */
export type BrowsedPage = Pick<SitePage, "address" | "title" | "body">;

/** The result of validating a message, with one sentence per issue. */
export interface CheckedMessage {
  readonly issues: readonly string[];
}

/** The tasks that the page can ask the worker to run, by name. */
export interface Tasks {
  lint(task: {
    readonly protocol: string;
    readonly dialect: string;
    readonly schema: readonly GivenFile[];
    readonly log: Blob;
    readonly name: string;
  }): Promise<LintedLog>;
  diff(task: {
    readonly protocol: string;
    readonly before: string | GivenFile;
    readonly after: string | GivenFile;
  }): Promise<ComparedVersions>;
  browse(task: ChosenProtocol): Promise<readonly BrowsedPage[]>;
  generate(task: ChosenProtocol): Promise<readonly (readonly [path: string, text: string])[]>;
  check(task: ChosenProtocol & { readonly message: string }): Promise<CheckedMessage>;
}

/**
 * Creates the playground's tasks.
 *
 * @param onProgress Called from time to time with a sentence that describes the progress.
 */
export function createTasks(onProgress: (text: string) => void): Tasks {
  return {
    async lint({ protocol: name, dialect, schema, log, name: file }) {
      const protocol = await openRecordedProtocol(name, schemaOptions(schema));
      const recording = await openRecordingFiles(
        [{ name: file, chunks: chunksOf(log) }],
        protocol,
        {
          dialect: dialect === "" ? undefined : dialect,
        },
      );
      const page = new RecordingPage(protocol);
      const { sessionRules: rules } = protocol;
      const report = await judgeRecording(recording, protocol, {
        name: file,
        profile: "wire",
        rules,
        host: undefined,
        severities: new Map(),
        viewer: page,
        onProgress: (messages, bytes) =>
          onProgress(`${countText(messages, "message")}, ${Math.floor(bytes / 1e6)} MB`),
      });
      return {
        page: page.print(report, listRules(rules), recording),
        summary: `${countText(report.messages, "message")}: ${severityCounts(report.counts)}`,
        report,
      };
    },

    async diff({ protocol, before, after }) {
      const compared = await diffVersions(sourceOf(before, "before"), sourceOf(after, "after"), {
        protocol,
      });
      return {
        html: await printDiff(compared, "html"),
        json: await printDiff(compared, "json"),
      };
    },

    async browse(chosen) {
      const { name, options } = selected(chosen);
      const { sessionRules, ...protocol } = await openProtocol(name, options);
      const rules = judgingRules(sessionRules);
      const facts = { versions: [], oldest: undefined, rules, examples: undefined, checks: [] };
      return protocolPages(protocol, facts).map(({ address, title, body }) => ({
        address,
        title,
        body,
      }));
    },

    async generate(chosen) {
      const { name, options } = selected(chosen);
      return [...(await generate(name, options)).files];
    },

    async check({ message, ...chosen }) {
      let value: unknown;
      try {
        value = JSON.parse(message);
      } catch (error) {
        throw new InputError("ERR_JSON", `Cannot parse the message: ${(error as Error).message}`);
      }
      const { name, options } = selected(chosen);
      const protocol = await readProtocol(name, options);
      const result = createValidator(validationRulesOf(protocol).message)(value);
      return { issues: result.ok ? [] : result.issues.map(describeIssue) };
    },
  };
}

function give(folder: string, { name, text }: GivenFile): string {
  const path = `/given/${folder}/${name.replaceAll("/", "_")}`;
  contents.set(path, text);
  return path;
}

function sourceOf(source: string | GivenFile, folder: string): string {
  return typeof source === "string" ? source : give(folder, source);
}

function schemaOptions(files: readonly GivenFile[]): { readonly schema?: readonly string[] } {
  const paths = files.map((file) => give("schema", file));
  return paths.length === 0 ? {} : { schema: paths };
}

/**
 * Classifies the given files. If there is a description, it defines the protocol, and the other
 * files are placed next to it. Otherwise, all files are schemas.
 */
function selected({ protocol, files }: ChosenProtocol): {
  readonly name: string;
  readonly options: { readonly schema?: readonly string[] };
} {
  const isDescribed = files.some(({ name }) => name === "protocol.json");
  if (!isDescribed) return { name: protocol, options: schemaOptions(files) };
  for (const file of files) give("schema", file);
  return { name: "/given/schema/protocol.json", options: {} };
}

async function* chunksOf(log: Blob): AsyncGenerator<Uint8Array, void> {
  const reader = log.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
