import { timeText } from "../../../../generator/print/amount-text.js";
import { marksOf, type Bar, type TimeRange, type Waterfall } from "./waterfall.js";

/**
 * Sizes in pixels: the width of the column that holds the lane names, and the heights of the time
 * scale, the graph of requests in flight, and a lane.
 */
const gutter = 78;
export const scaleHeight = 16;
const flightHeight = 18;
const laneHeight = 13;

/** A waterfall, along with the sizes and positions needed to draw it. */
export interface Plot {
  readonly fall: Waterfall;
  /**
   * The whole time range, divided into many equal parts, with the maximum number of requests in
   * flight during each.
   */
  readonly flight: Int32Array;
  readonly whole: TimeRange;
  readonly range: TimeRange;
  readonly width: number;
  /** Height of the visible part, in pixels. `top` is the scroll position. */
  readonly seen: number;
  readonly top: number;
  /** Height of the whole drawing, including the parts that are not visible. */
  readonly height: number;
  readonly selected: number;
  readonly hovered: number;
}

export function plotOf(
  fall: Waterfall,
  { height: seen, ...more }: Omit<Plot, "fall" | "seen" | "height"> & { readonly height: number },
): Plot {
  const height = scaleHeight + flightHeight + fall.lanes.length * laneHeight + 4;
  return { fall, ...more, seen, height };
}

export function xOf({ range, width }: Plot, time: number): number {
  const share = (time - range.begin) / Math.max(range.end - range.begin, 1e-9);
  return gutter + share * (width - gutter);
}

export function timeAt({ range, width }: Plot, x: number): number {
  const share = Math.min(1, Math.max(0, (x - gutter) / Math.max(1, width - gutter)));
  return range.begin + share * (range.end - range.begin);
}

/** Finds the bar at a point, or the nearest bar within a few pixels in the same lane. */
export function barAt(plot: Plot, x: number, y: number): Bar | undefined {
  const lane =
    plot.fall.lanes[Math.floor((y + plot.top - scaleHeight - flightHeight) / laneHeight)];
  if (lane === undefined || y < scaleHeight + flightHeight || x < gutter - 4) return undefined;
  let best: Bar | undefined;
  let least = 5;
  for (const bar of lane.bars) {
    const from = xOf(plot, bar.begin);
    if (from - x > least) break;
    const distance = Math.max(0, from - x, x - Math.max(xOf(plot, bar.end), from + 2));
    if (distance <= least) {
      least = distance;
      best = bar;
    }
  }
  return best;
}

/** CSS custom properties that define the bar colours. */
const colours: Readonly<Record<Bar["kind"], string>> = {
  session: "--dim-drawn",
  stop: "--stop-drawn",
  request: "--link-drawn",
  reverse: "--reverse-drawn",
  failed: "--error-drawn",
  open: "--open-drawn",
};

export function drawWaterfall(canvas: HTMLCanvasElement, plot: Plot): void {
  const { width, seen } = plot;
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = seen * scale;
  const drawing = canvas.getContext("2d")!;
  drawing.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const colour = (name: string): string => style.getPropertyValue(name);
  drawing.font = "11px system-ui, sans-serif";
  drawing.textBaseline = "middle";
  drawGrid(drawing, plot, colour);
  drawLanes(drawing, plot, colour);
  drawing.fillStyle = colour("--back-drawn");
  drawing.fillRect(0, 0, width, scaleHeight + flightHeight);
  drawFlight(drawing, plot, colour);
  drawScale(drawing, plot, colour);
}

type Colour = (name: string) => string;

function drawLanes(drawing: CanvasRenderingContext2D, plot: Plot, colour: Colour): void {
  const { fall, top, seen, width, selected, hovered } = plot;
  const head = scaleHeight + flightHeight;
  const first = Math.max(0, Math.floor(top / laneHeight));
  for (let at = first; at < fall.lanes.length; at++) {
    const y = head + at * laneHeight - top;
    if (y > seen) break;
    const lane = fall.lanes[at]!;
    drawing.save();
    drawing.beginPath();
    drawing.rect(gutter, y, width - gutter, laneHeight);
    drawing.clip();
    drawBars(drawing, plot, lane.bars, y, colour);
    drawing.restore();
    for (const bar of lane.bars)
      if (bar.row === selected || bar.row === hovered) outline(drawing, plot, bar, y, colour);
    drawing.fillStyle = colour(lane.title === "" ? "--line-drawn" : "--dim-drawn");
    drawing.fillText(
      lane.title,
      4 + lane.depth * 6,
      y + laneHeight / 2,
      gutter - 8 - lane.depth * 6,
    );
    if (lane.title !== "" && at > 0) {
      drawing.fillStyle = colour("--line-drawn");
      drawing.fillRect(0, y - 0.5, width, 1);
    }
  }
}

function drawBars(
  drawing: CanvasRenderingContext2D,
  plot: Plot,
  bars: readonly Bar[],
  y: number,
  colour: Colour,
): void {
  const { range } = plot;
  let until = -Infinity;
  let kind: Bar["kind"] | undefined;
  for (const bar of bars) {
    if (bar.end < range.begin) continue;
    if (bar.begin > range.end) break;
    const x = xOf(plot, bar.begin);
    const end = Math.max(xOf(plot, bar.end), x + 1.5);
    // If several bars share a pixel, draw a failed one if there is one, otherwise the first.
    if (end <= until && bar.kind === kind) continue;
    drawing.fillStyle = colour(colours[bar.kind]);
    const height = bar.kind === "session" ? 3 : laneHeight - 3;
    drawing.fillRect(x, y + (laneHeight - height) / 2, Math.max(1.5, end - x - 0.5), height);
    until = Math.ceil(end);
    kind = bar.kind;
  }
}

function outline(
  drawing: CanvasRenderingContext2D,
  plot: Plot,
  bar: Bar,
  y: number,
  colour: Colour,
): void {
  const x = Math.max(gutter, xOf(plot, bar.begin));
  const end = Math.max(xOf(plot, bar.end), x + 2);
  if (end < gutter) return;
  drawing.strokeStyle = colour("--text-drawn");
  drawing.lineWidth = 1.5;
  drawing.strokeRect(x - 0.5, y + 0.5, end - x + 1, laneHeight - 1);
}

function drawFlight(drawing: CanvasRenderingContext2D, plot: Plot, colour: Colour): void {
  const { flight, whole, width } = plot;
  const span = Math.max(whole.end - whole.begin, 1e-6);
  const most = Math.max(0, ...flight);
  if (most === 0) return;
  drawing.fillStyle = colour("--flight-drawn");
  for (let x = gutter; x < width; x++) {
    const from = ((timeAt(plot, x) - whole.begin) / span) * flight.length;
    const place = Math.min(flight.length - 1, Math.max(0, Math.floor(from)));
    const size = (flight[place]! / most) * (flightHeight - 4);
    drawing.fillRect(x, scaleHeight + flightHeight - 2 - size, 1, size);
  }
  drawing.fillStyle = colour("--dim-drawn");
  drawing.fillText(`in flight ≤ ${most}`, 4, scaleHeight + flightHeight / 2, gutter - 6);
}

function drawGrid(drawing: CanvasRenderingContext2D, plot: Plot, colour: Colour): void {
  drawing.fillStyle = colour("--line-drawn");
  for (const mark of scaleOf(plot)) drawing.fillRect(Math.round(xOf(plot, mark)), 0, 1, plot.seen);
}

function drawScale(drawing: CanvasRenderingContext2D, plot: Plot, colour: Colour): void {
  const marks = scaleOf(plot);
  const step = marks.length > 1 ? marks[1]! - marks[0]! : 1;
  drawing.fillStyle = colour("--dim-drawn");
  for (const mark of marks) {
    const x = Math.round(xOf(plot, mark)) + 3;
    const text = step >= 1 ? `${timeText(mark)} s` : `${mark.toFixed(3)} ms`;
    if (x + drawing.measureText(text).width < plot.width)
      drawing.fillText(text, x, scaleHeight / 2);
  }
}

function scaleOf({ range, width }: Plot): readonly number[] {
  return marksOf(range, (width - gutter) / 90);
}
