import { Fragment, type JSX, type TargetedMouseEvent, type TargetedWheelEvent } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { durationText, timeText } from "../../../../generator/print/amount-text.js";
import { inFlight } from "./latencies.js";
import { titleOf } from "./message-list.js";
import type { PageState } from "./page-state.js";
import { countText, numberText, oneLine } from "./page-text.js";
import { useTiming } from "./timing-panel.js";
import type { TimeRange } from "./time-axis.js";
import { waterfallOf, type Bar, type Waterfall } from "./waterfall.js";

/** Minimum length, in pixels, of a drag that selects a time range. */
const leastDrag = 5;

/** A chart in which bars show how long sessions, stops and requests lasted. */
export function WaterfallChart({ state }: { readonly state: PageState }): JSX.Element | null {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { session } = state.filters.value;
  const timing = useTiming(state);
  const fall = useMemo(() => waterfallOf(state.store, session), [timing, session]);
  const flight = useMemo(() => inFlight(timing, 1_000, fall.axis), [fall]);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [top, setTop] = useState(0);
  const [hovered, setHovered] = useState(-1);
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | undefined>();
  const range = state.zoom.value ?? fall.axis.whole;
  const selected = state.selected.value;
  const plot = plotOf(fall, { flight, range, ...size, top, selected, hovered });
  const isKnown = fall.lanes.length > 0;
  useEffect(() => void (state.axis.value = isKnown ? fall.axis : undefined), [fall]);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const measure = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    measure.observe(element);
    return () => measure.disconnect();
  }, [isKnown]);
  useEffect(() => {
    const element = canvas.current;
    if (element === null || size.width === 0) return undefined;
    const draw = (): void => drawWaterfall(element, plot);
    draw();
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", draw);
    return () => scheme.removeEventListener("change", draw);
  }, [fall, flight, size, top, range.begin, range.end, selected, hovered]);
  if (!isKnown) return null;
  const onUp = (event: TargetedMouseEvent<HTMLCanvasElement>): void => {
    setDrag(undefined);
    if (drag !== undefined && Math.abs(drag.to - drag.from) >= leastDrag)
      return state.zoomTo(
        timeAt(plot, Math.min(drag.from, drag.to)),
        timeAt(plot, Math.max(drag.from, drag.to)),
      );
    const row = barAt(plot, event.offsetX, event.offsetY)?.row;
    if (row !== undefined) state.select(row);
  };
  const onWheel = (event: TargetedWheelEvent<HTMLCanvasElement>): void => {
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!event.ctrlKey && !event.metaKey && !isSideways) return;
    event.preventDefault();
    if (isSideways) state.pan(Math.sign(event.deltaX || event.deltaY) * 0.1);
    else state.zoomBy(event.deltaY > 0 ? 1.25 : 0.8, timeAt(plot, event.offsetX));
  };
  return (
    <figure class="chart fall" aria-label="Waterfall">
      <div class="plot" onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
        <div class="lanes" style={{ height: `${plot.height}px` }}>
          <canvas
            ref={canvas}
            role="img"
            aria-label={labelOf(state, plot)}
            style={{ height: `min(${plot.height}px, var(--fall))` }}
            onMouseDown={(event) =>
              event.button === 0 && setDrag({ from: event.offsetX, to: event.offsetX })
            }
            onMouseMove={(event) => {
              if (drag !== undefined) setDrag({ from: drag.from, to: event.offsetX });
              else setHovered(barAt(plot, event.offsetX, event.offsetY)?.row ?? -1);
            }}
            onMouseUp={onUp}
            onMouseLeave={() => (setDrag(undefined), setHovered(-1))}
            onDblClick={() => state.zoomAll()}
            onWheel={onWheel}
          />
          {drag === undefined ? null : (
            <i
              class="range"
              style={{
                left: `${Math.min(drag.from, drag.to)}px`,
                width: `${Math.abs(drag.to - drag.from)}px`,
              }}
            />
          )}
          <SelectedLine state={state} plot={plot} />
        </div>
      </div>
      <figcaption>
        <ZoomButtons state={state} />
        <span class="hovered">{hoverText(state, hovered) ?? <Legend />}</span>
        <span>
          {timeText(range.begin)} to {timeText(range.end)} s, long waits shortened
          {fall.leftOut === 0 ? "" : `; ${countText(fall.leftOut, "session")} not drawn`}
        </span>
      </figcaption>
    </figure>
  );
}

function ZoomButtons({ state }: { readonly state: PageState }): JSX.Element {
  return (
    <span class="zoom" role="group" aria-label="Zoom">
      <ZoomButton text="−" title="Show more time" keys="-" act={() => state.zoomBy(2)} />
      <ZoomButton text="+" title="Show less time" keys="+" act={() => state.zoomBy(0.5)} />
      <ZoomButton text="‹" title="Earlier" keys="<" act={() => state.pan(-0.5)} />
      <ZoomButton text="›" title="Later" keys=">" act={() => state.pan(0.5)} />
      <button
        type="button"
        disabled={state.zoom.value === undefined}
        onClick={() => state.zoomAll()}
      >
        All
      </button>
      <button
        type="button"
        disabled={state.selected.value < 0}
        onClick={() => state.zoomToSelected()}
      >
        Selected
      </button>
    </span>
  );
}

interface ZoomButtonProps {
  readonly text: string;
  readonly title: string;
  readonly keys: string;
  readonly act: () => void;
}

function ZoomButton({ text, title, keys, act }: ZoomButtonProps): JSX.Element {
  return (
    <button type="button" aria-label={title} title={title} aria-keyshortcuts={keys} onClick={act}>
      {text}
    </button>
  );
}

function SelectedLine({ state, plot }: { state: PageState; plot: Plot }): JSX.Element | null {
  const time = state.store.row(state.selected.value)?.time;
  if (time === undefined || time < plot.range.begin || time > plot.range.end) return null;
  return <i class="now" style={{ left: `${xOf(plot, time)}px`, top: `${scaleHeight}px` }} />;
}

const legend = [
  ["dot stop", "stopped"],
  ["dot", "request"],
  ["dot reverse", "reverse request"],
  ["dot failed", "failed"],
  ["dot open", "no response"],
  ["area", "in flight"],
] as const;

function Legend(): JSX.Element {
  return (
    <>
      {legend.map(([mark, text]) => (
        <Fragment key={text}>
          <span class="legend">
            <b class={mark} /> {text}
          </span>{" "}
        </Fragment>
      ))}
    </>
  );
}

function hoverText({ store }: PageState, row: number): string | undefined {
  const shown = store.row(row);
  if (shown === undefined) return undefined;
  const time = shown.latency === undefined ? "" : `, ${durationText(shown.latency)}`;
  const summary = shown.summary === "" ? "" : `, ${oneLine(shown.summary)}`;
  return `${numberText(shown)} ${titleOf(shown)}${time}${summary}`;
}

function labelOf({ store }: PageState, { fall, range }: Plot): string {
  const bars = fall.lanes.flatMap((lane) => lane.bars);
  const count = (kinds: readonly string[]): number =>
    bars.filter(
      ({ kind, begin, end }) => kinds.includes(kind) && end >= range.begin && begin <= range.end,
    ).length;
  const parts = [
    countText(count(["request", "reverse", "failed", "open"]), "request"),
    countText(count(["stop"]), "stop"),
    ...(store.sessions.length < 2 ? [] : [countText(count(["session"]), "session")]),
  ];
  return `Waterfall of ${parts.join(", ")} from ${timeText(range.begin)} to ${timeText(range.end)} seconds. The list has the same messages; the Timing tab has the figures.`;
}

/**
 * Sizes in pixels: the width of the column that holds the lane names, and the heights of the time
 * scale, the graph of requests in flight, and a lane.
 */
const gutter = 78;
const scaleHeight = 16;
const flightHeight = 18;
const laneHeight = 13;

/** A waterfall, along with the sizes and positions needed to draw it. */
interface Plot {
  readonly fall: Waterfall;
  /**
   * The whole time axis, divided into many equal parts, with the maximum number of requests in
   * flight during each.
   */
  readonly flight: Int32Array;
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

function plotOf(
  fall: Waterfall,
  { height: seen, ...more }: Omit<Plot, "fall" | "seen" | "height"> & { readonly height: number },
): Plot {
  const height = scaleHeight + flightHeight + fall.lanes.length * laneHeight + 4;
  return { fall, ...more, seen, height };
}

function xOf({ fall, range, width }: Plot, time: number): number {
  return gutter + fall.axis.shareOf(time, range) * (width - gutter);
}

function timeAt({ fall, range, width }: Plot, x: number): number {
  const share = Math.min(1, Math.max(0, (x - gutter) / Math.max(1, width - gutter)));
  return fall.axis.timeAt(share, range);
}

/** Finds the bar at a point, or the nearest bar within a few pixels in the same lane. */
function barAt(plot: Plot, x: number, y: number): Bar | undefined {
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

function drawWaterfall(canvas: HTMLCanvasElement, plot: Plot): void {
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
  const { fall, flight, width } = plot;
  const most = Math.max(0, ...flight);
  if (most === 0) return;
  drawing.fillStyle = colour("--flight-drawn");
  for (let x = gutter; x < width; x++) {
    const from = fall.axis.shareOf(timeAt(plot, x), fall.axis.whole) * flight.length;
    const place = Math.min(flight.length - 1, Math.floor(from));
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
  drawing.fillStyle = colour("--dim-drawn");
  const marks = scaleOf(plot);
  for (const [index, mark] of marks.entries()) {
    const x = Math.round(xOf(plot, mark)) + 3;
    const isFine = (marks[index + 1] ?? Infinity) - mark < 1 || mark - (marks[index - 1] ?? 0) < 1;
    const text = isFine ? `${mark.toFixed(3)} ms` : `${timeText(mark)} s`;
    if (x + drawing.measureText(text).width < plot.width)
      drawing.fillText(text, x, scaleHeight / 2);
  }
}

function scaleOf({ fall, range, width }: Plot): readonly number[] {
  return fall.axis.marksOf(range, (width - gutter) / 90);
}
