import { readFileSync } from "node:fs";
import type { OpenProtocol } from "../../cli/index.js";
import type { HostTable } from "../../sessions/judge/host-table.js";
import { readerOfDialect } from "../../sessions/read/message-dialect.js";
import { readRecording, type RecordedEntry } from "../../sessions/read/recording.js";
import { findingsOf } from "./judged-entries.js";
import { fromRoot } from "./paths.js";
import { shorthandsOf, writtenMessages } from "./written-messages.js";

/** A statement that a program can obey or violate, and its examples. */
export interface SeedStatement {
  readonly place: string;
  readonly says: string;
  /** Examples and references to other evidence, in the order of the page. */
  readonly evidence: readonly Evidence[];
}

/** A line of a block, with the lines that continue it. */
export interface Evidence {
  readonly kind: EvidenceKind;
  /** For `-`: the rule. For `+`, `-` and `=`: the session or the message. Otherwise: the rest. */
  readonly rule: string;
  readonly text: string;
}

/**
 * - `+`: a session without findings
 * - `-`: a session with exactly one finding, which may occur several times
 * - `=`: the last message of the session before, as it is read
 * - `rule`: the sessions on the page of rule examples
 * - `check`: a conformance check that a mutant of the reference adapter fails
 * - `both`: a test that shows what obeys the statement and what breaks it
 * - `test`: a test that shows what obeys the statement
 * - `only`: the reason why no session can break the statement
 * - `none`: the reason why no message, time or observation shows the statement
 * - `dialect`, `version`: the dialect, or the protocol version, of the sessions that follow
 */
export type EvidenceKind =
  "+" | "-" | "=" | "rule" | "check" | "both" | "test" | "only" | "none" | "dialect" | "version";

/** A page in `test/seeds`. */
export interface SeedPage {
  readonly statements: readonly SeedStatement[];
  readonly shorthands: Readonly<Record<string, string>>;
}

export function readSeedPage(seed: string): SeedPage {
  const page = readFileSync(fromRoot(`test/seeds/${seed}.md`), "utf8");
  const statements = page
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const place = section.slice(0, section.indexOf("\n"));
      return [...section.matchAll(/^(\S.*)\n\n```examples\n([^`]*)```$/gm)].map(
        ([, says, block]) => ({
          place,
          says: says!,
          evidence: evidenceIn(block!),
        }),
      );
    });
  return { statements, shorthands: shorthandsOf(page) };
}

function evidenceIn(block: string): readonly Evidence[] {
  const lines: string[] = [];
  for (const line of block.trimEnd().split("\n"))
    if (line.startsWith("  ")) lines.push(`${lines.pop()}\n${line.slice(2)}`);
    else lines.push(line);
  return lines.map((line) => {
    const [, kind = "", rest = ""] = /^(\S+) ([^]*)$/.exec(line) ?? [];
    const [, rule = "", text = rest] = kind === "-" ? (/^(\S+)\s([^]*)$/.exec(rest) ?? []) : [];
    return { kind: kind as EvidenceKind, rule, text };
  });
}

/** How the examples on a page are read and judged. */
export interface SeedJudge {
  readonly protocol: OpenProtocol;
  readonly host?: HostTable | undefined;
  readonly shorthands?: Readonly<Record<string, string>>;
}

/**
 * Reads an example's session. Besides messages, it may contain lines with bytes, as a JSON string:
 * `bytes "Content-Length: 2\r\n\r\n{}"`.
 */
export function readExample(
  text: string,
  { protocol, shorthands = {} }: SeedJudge,
  dialectName?: string,
): readonly RecordedEntry[] {
  if (text.startsWith("bytes ")) {
    const bytes = Buffer.from(JSON.parse(text.slice("bytes ".length)) as string, "latin1");
    return [...readRecording([{ name: "example", bytes }], protocol)];
  }
  const dialect = protocol.dialects.find(({ name }) => name === dialectName);
  if (dialect === undefined) return writtenMessages(text, protocol, shorthands);
  const read = readerOfDialect(protocol, dialect.name);
  const envelope = dialect.envelope ?? protocol.envelope;
  return writtenMessages(text, { ...protocol, envelope }, shorthands).map((entry) =>
    entry.message === undefined
      ? entry
      : {
          ...entry,
          message: read(entry.message),
          written: { message: entry.message, dialect: dialect.name },
        },
  );
}

/** Returns the rules that have findings in a session. */
export function rulesBrokenBy(
  entries: readonly RecordedEntry[],
  { protocol, host }: SeedJudge,
): readonly string[] {
  const options = host === undefined ? {} : { host };
  return [...new Set(findingsOf(protocol, entries, options, false).map(({ rule }) => rule))];
}
