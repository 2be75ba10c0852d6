/**
 * Formats paragraphs as the lines of a doc comment no wider than `width`, or as nothing.
 *
 * The text cannot end the comment, whatever it holds; its own line breaks stay.
 */
export function formatDocs(
  paragraphs: readonly (string | undefined)[],
  width: number,
): readonly string[] {
  const texts = paragraphs.filter((text) => text !== undefined && text.trim() !== "") as string[];
  if (texts.length === 0) return [];
  const lines: string[] = [];
  texts.forEach((text, index) => {
    const isTag = text.startsWith("@");
    const wasTag = index > 0 && texts[index - 1]!.startsWith("@");
    if (index > 0 && !(isTag && wasTag)) lines.push("");
    for (const line of escapeComment(text).trim().split("\n"))
      lines.push(...wrap(line.trimEnd(), width - 3));
  });
  if (lines.length === 1 && lines[0]!.length + 7 <= width) return [`/** ${lines[0]} */`];
  return ["/**", ...lines.map((line) => (line === "" ? " *" : ` * ${line}`)), " */"];
}

function escapeComment(text: string): string {
  return text
    .replaceAll("*/", "*\\/")
    .replaceAll(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll(/[\0-\x09\x0b-\x1f\x7f]/g, " ");
}

/** Breaks a line at blanks; the rest of a list item stays under its text. */
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
