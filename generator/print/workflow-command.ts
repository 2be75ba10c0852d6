import { visible } from "../base/visible-text.js";

/** Prints a GitHub Actions workflow command that shows a message at a line of a file. */
export function workflowCommand(
  command: "error" | "warning" | "notice",
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const given = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${property(String(value))}`],
  );
  return `::${command} ${given.join(",")}::${escapePercent(visible(message))}`;
}

/**
 * Escapes a property value in a workflow command. A comma would end the value, and a colon would
 * end the list of properties.
 */
function property(text: string): string {
  return escapePercent(visible(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/**
 * Escapes percent signs, because GitHub would otherwise decode text such as `%0A` to a line feed.
 */
function escapePercent(text: string): string {
  return text.replaceAll("%", "%25");
}
