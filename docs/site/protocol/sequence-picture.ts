import { joinMarkup, markup, type Markup } from "../../../generator/print/html-text.js";
import type { Example, ExampleStep } from "./example.js";

const width = 420;
const head = 36;
const stepHeight = 34;
/** The horizontal positions of the two lifelines. */
const columns = [70, width - 70] as const;

/**
 * Draws an example as a sequence diagram, with a lifeline for each role and an arrow for each
 * message. Response arrows are dashed. The markup is on one line because an empty line would end
 * the HTML in Markdown.
 */
export function drawSequence(example: Example, roles: readonly string[]): Markup {
  const height = head + example.length * stepHeight + 8;
  const title = example.map((step) => `${labelOf(step)} from the ${step.from}`).join(", then ");
  return joinMarkup(
    [
      markup`<svg class="sequence" role="img" aria-label="${title}" viewBox="0 0 ${width} ${height}" width="${width}" style="max-width:100%;height:auto" fill="currentColor" stroke="none" font-family="system-ui, sans-serif" font-size="14">`,
      ...columns.map(
        (x, index) =>
          markup`<text x="${x}" y="18" text-anchor="middle" font-weight="600">${roles[index] ?? ""}</text><line x1="${x}" x2="${x}" y1="26" y2="${height}" stroke="currentColor" stroke-opacity="0.35"/>`,
      ),
      ...example.map((step, index) => drawStep(step, roles, head + (index + 1) * stepHeight - 8)),
      markup`</svg>`,
    ],
    " ",
  );
}

function drawStep(step: ExampleStep, roles: readonly string[], y: number): Markup {
  const isBack = step.from === roles[1];
  const [from, to] = isBack ? [columns[1], columns[0]] : columns;
  const tip = isBack ? to + 9 : to - 9;
  const dash = step.kind === "response" ? "6 4" : "none";
  return markup`<text x="${width / 2}" y="${y - 7}" text-anchor="middle">${labelOf(step)}</text><line x1="${from}" x2="${tip}" y1="${y}" y2="${y}" stroke="currentColor" stroke-dasharray="${dash}"/><path d="M${to} ${y} L${tip} ${y - 5} L${tip} ${y + 5} Z"/>`;
}

function labelOf({ kind, name }: ExampleStep): string {
  return kind === "request" ? name : `${name} (${kind})`;
}
