import {
  bundledProtocols,
  bundledSchemaFolder,
  defaultProtocol,
} from "../../generator/base/bundled.js";
import { files } from "../../generator/base/files.js";

/** A session that breaks a rule and one that follows it, in the notation of their Markdown page. */
export interface RuleExample {
  readonly rule: string;
  /** Another rule, which the `broken` session breaks first. */
  readonly before: string | undefined;
  readonly broken: string;
  readonly kept: string;
}

/**
 * Reads the Markdown page with example sessions for a bundled protocol's rules. Returns undefined
 * if the protocol has no such page.
 */
export function readExamplePage(protocol: string): string | undefined {
  const page = new URL(`${protocol}/rule-examples.md`, bundledSchemaFolder);
  return bundledProtocols().includes(protocol) && files.exists(page)
    ? files.readText(page)
    : undefined;
}

/** Parses the examples on a page, in order. A rule may have several. */
export function examplesIn(page: string): readonly RuleExample[] {
  return [
    ...page.matchAll(
      /^### `([^`]+)`(?: after `([^`]+)`)?\n\nBroken:\n\n```\n([^`]+)\n```\n\nKept:\n\n```\n([^`]+)\n```$/gm,
    ),
  ].map(([, rule = "", before, broken = "", kept = ""]) => ({ rule, before, broken, kept }));
}

/**
 * Explains a rule with a session that breaks it and one that follows it. Returns no lines if no
 * page has an example.
 */
export function explainByExample(rule: string, protocol: string): readonly string[] {
  const names = new Set([protocol, defaultProtocol(), ...bundledProtocols()]);
  for (const name of names) {
    const page = readExamplePage(name) ?? "";
    const example = examplesIn(page).find((each) => each.rule === rule);
    if (example === undefined) continue;
    const of = name === protocol ? "" : ` of ${name}`;
    return [
      "",
      `A session${of} that breaks the rule:`,
      ...indented(example.broken),
      "",
      "A session that follows the rule:",
      ...indented(example.kept),
      "",
      "Notation:",
      ...notationOf(page, `${example.broken}\n${example.kept}`),
    ];
  }
  const frames = framesThatBreak(rule);
  return frames === undefined ? [] : ["", "Bytes that break the rule:", ...indented(frames)];
}

/**
 * Lists the marks that occur in the example sessions, with their explanations from the Markdown
 * page.
 */
function notationOf(page: string, sessions: string): readonly string[] {
  const used = new Set(sessions.split("\n").map((line) => line.split(" ", 1)[0]));
  const rows = [...page.matchAll(/^- `(\S+)[^`]*`: (.+)$/gm)].filter(([, mark]) => used.has(mark));
  const width = Math.max(...rows.map(([, mark = ""]) => mark.length));
  return rows.map(([, mark = "", meaning = ""]) => `  ${mark.padEnd(width)}  ${meaning}`);
}

/**
 * Returns example frames that break a rule about bytes, with special bytes escaped as on the
 * Markdown page.
 */
function framesThatBreak(rule: string): string | undefined {
  const page = files.readText(new URL("framing-examples.md", bundledSchemaFolder));
  const [, section = ""] = page.split(`\n## \`${rule}\`\n`);
  return /^```frames\n([^`]+)\n```$/m.exec(section)?.[1];
}

function indented(text: string): readonly string[] {
  return text.split("\n").map((line) => `  ${line}`);
}
