import { escapeText } from "../../base/visible-text.js";

/**
 * A paragraph of a doc comment: plain text, or a tag followed by text. Anything in the text that
 * looks like a tag is escaped.
 */
export type DocParagraph = string | DocTag;

interface DocTag {
  readonly tag: string;
  readonly text: string;
}

export function docTag(
  tag: "default" | "deprecated" | "param" | "since" | "throws",
  text: string,
): DocTag {
  return { tag, text };
}

/**
 * Formats paragraphs as the lines of a doc comment with a maximum width of `width`. Returns an
 * empty array if there is no text.
 */
export function formatDocs(
  paragraphs: readonly (DocParagraph | undefined)[],
  width: number,
): readonly string[] {
  const lines = docLines(paragraphs, width - 3);
  if (lines.length === 0) return [];
  if (lines.length === 1 && lines[0]!.length + 7 <= width) return [`/** ${lines[0]} */`];
  return ["/**", ...lines.map((line) => (line === "" ? " *" : ` * ${line}`)), " */"];
}

/**
 * Formats paragraphs as the lines between a doc comment's markers. Text is escaped, so that it can
 * neither end the comment nor start a tag, and keeps its line breaks.
 */
export function docLines(
  paragraphs: readonly (DocParagraph | undefined)[],
  width: number,
): readonly string[] {
  const texts = paragraphs.filter(
    (each): each is DocParagraph =>
      each !== undefined && (typeof each === "object" || each.trim() !== ""),
  );
  const lines: string[] = [];
  texts.forEach((each, index) => {
    if (index > 0 && !(typeof each === "object" && typeof texts[index - 1] === "object"))
      lines.push("");
    const text =
      typeof each === "object" ? `@${each.tag} ${escapeComment(each.text)}` : escapeComment(each);
    for (const line of text.trim().split("\n")) lines.push(...wrap(line.trimEnd(), width));
  });
  return lines;
}

/** Matches a link to a name, such as `{@link Uri.scheme scheme}`, or the start of a tag. */
const tags = /\{@link [\w$.#]+(?: [^{}@\n]*)?\}|(?<=^|[\s{])@(?=\S)/g;

/**
 * Escapes text for a doc comment. Compilers and editors treat `@word` as a tag at the start of a
 * line and after a space, even in code. Links to names are kept, because editors show them as text
 * or as links.
 */
function escapeComment(text: string): string {
  return escapeText(text.replaceAll(/\r\n?|[\u2028\u2029]/g, "\n").replaceAll(/\t/g, " "))
    .replaceAll("*/", "*\\/")
    .replaceAll(tags, (found) => (found.startsWith("{") ? found : "\\@"));
}

/** Wraps a line at spaces. In a list item, continuation lines are indented. */
function wrap(line: string, width: number): string[] {
  if (line === "") return [""];
  const hang = /^\s*[-*] /.exec(line)?.[0].length ?? 0;
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const candidate = current === "" ? word : `${current} ${word}`;
    if (candidate.length > width && current.trim() !== "") {
      lines.push(current);
      current = " ".repeat(hang) + word;
    } else current = current === "" && lines.length === 0 && word === "" ? " " : candidate;
  }
  lines.push(current);
  return lines;
}
