import { visible } from "../base/visible-text.js";

/** A workflow command of GitHub Actions, which shows a message beside a line of a file. */
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

/** The command ends its properties at a colon, and a property at a comma. */
function property(text: string): string {
  return escapePercent(visible(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** `%0A` would become a line feed. */
function escapePercent(text: string): string {
  return text.replaceAll("%", "%25");
}
