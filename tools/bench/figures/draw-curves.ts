/** Draws curves on logarithmic axes, as SVG that is readable on both light and dark pages. */
import { xml } from "../../../generator/print/html-text.js";

export interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Chart {
  readonly title: string;
  readonly curves: readonly Curve[];
  /** Formats values as axis labels. */
  x(value: number): string;
  y(value: number): string;
}

const width = 720;
const height = 400;
const plot = { left: 70, right: 500, top: 44, bottom: 350 };
/** Minimum vertical distance between the names at the ends of the curves. */
const lineHeight = 16;

const style = `text { font: 13px system-ui, sans-serif; fill: #24292f; }
    .title { font-weight: 600; font-size: 15px; }
    .grid { stroke: #d0d7de; stroke-width: 1; }
    .curve { fill: none; stroke-width: 2.5; }
    .c0 { stroke: #0969da; fill: #0969da; } .c1 { stroke: #bc4c00; fill: #bc4c00; }
    .c2 { stroke: #1a7f37; fill: #1a7f37; } .c3 { stroke: #8250df; fill: #8250df; }
    .c4 { stroke: #6e7781; fill: #6e7781; }
    text.name { stroke: none; } path.curve { fill: none; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; } .grid { stroke: #3d444d; }
      .c0 { stroke: #4493f8; fill: #4493f8; } .c1 { stroke: #f0883e; fill: #f0883e; }
      .c2 { stroke: #3fb950; fill: #3fb950; } .c3 { stroke: #ab7df8; fill: #ab7df8; }
      .c4 { stroke: #9198a1; fill: #9198a1; }
    }`;

export function drawCurves({ title, curves: all, x, y }: Chart): string {
  const curves = all.filter(({ points }) => points.length > 0);
  const points = curves.flatMap((curve) => curve.points);
  const across = axis(
    points.map(([at]) => at),
    plot.left,
    plot.right,
  );
  const up = axis(powersAround(points.map(([, at]) => at)), plot.bottom, plot.top);
  const sizes = [...new Set(points.map(([at]) => at))].sort((a, b) => a - b);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${xml(title)}</title>`,
    `<style>${style}</style>`,
    text(plot.left, 24, title, "title"),
    ...powersAround(points.map(([, at]) => at)).flatMap((value) => [
      `<path class="grid" d="M${plot.left} ${up(value)}H${plot.right}"/>`,
      text(plot.left - 8, up(value) + 4, y(value), "", "end"),
    ]),
    ...spaced(sizes, across).map((value) =>
      text(across(value), plot.bottom + 22, x(value), "", "middle"),
    ),
    ...curves.map(({ points }, index) => {
      const path = points.map(([at, value]) => `${across(at)} ${up(value)}`).join("L");
      return `<path class="curve c${index}" d="M${path}"/>`;
    }),
    ...namesOf(curves, up),
    "</svg>",
  ];
  return `${lines.join("\n")}\n`;
}

/** Maps values to positions on a logarithmic axis. */
function axis(values: readonly number[], from: number, to: number): (value: number) => number {
  const [low, high] = [Math.log(Math.min(...values)), Math.log(Math.max(...values))];
  return (value) => Math.round(from + ((Math.log(value) - low) / (high - low)) * (to - from));
}

/** Returns the powers of ten that enclose the values. */
function powersAround(values: readonly number[]): readonly number[] {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.ceil(Math.log10(Math.max(...values)));
  return Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at));
}

/** Selects values so that their labels do not overlap. */
function spaced(values: readonly number[], across: (value: number) => number): readonly number[] {
  const kept: number[] = [];
  for (const value of values)
    if (kept.length === 0 || across(value) - across(kept.at(-1)!) > 50) kept.push(value);
  return kept;
}

/** Returns the names at the ends of the curves, moved apart so that they do not overlap. */
function namesOf(curves: readonly Curve[], up: (value: number) => number): readonly string[] {
  const names = curves
    .map(({ name, points }, index) => ({ name, index, at: up(points.at(-1)![1]) }))
    .sort((a, b) => a.at - b.at);
  let least = 0;
  return names.map(({ name, index, at }) => {
    const place = Math.max(at, least);
    least = place + lineHeight;
    return text(plot.right + 8, place + 4, name, `name c${index}`);
  });
}

function text(x: number, y: number, content: string, kind: string, anchor = "start"): string {
  const named = kind === "" ? "" : ` class="${kind}"`;
  return `<text${named} x="${x}" y="${y}" text-anchor="${anchor}">${xml(content)}</text>`;
}
