/**
 * Returns the text of a template, without the line breaks at its ends and without the indentation of
 * its first line. The lines of a value are indented like the first; a line that consists of a missing
 * value is left out.
 */
export function template(
  parts: TemplateStringsArray,
  ...values: readonly (string | false | undefined)[]
): string {
  let text = parts[0]!;
  for (const [index, value] of values.entries()) {
    const margin = /^ */.exec(text.slice(text.lastIndexOf("\n") + 1))![0];
    text += (value || "\0").replaceAll(/\n(?=.)/g, `\n${margin}`) + parts[index + 1]!;
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "\0");
  const margin = lines.find((line) => line.trim() !== "")!.search(/\S/);
  return lines
    .slice(1, -1)
    .map((line) => line.slice(margin).replaceAll("\0", ""))
    .join("\n");
}
