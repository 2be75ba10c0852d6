import { Fragment, type JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { durationText, timeText } from "../../../../generator/print/amount-text.js";
import { chartWidth, Drawing, FlightArea } from "./chart.js";
import { inFlight } from "./latencies.js";
import { titleOf } from "./message-list.js";
import type { PageState } from "./page-state.js";
import { countText, numberText, oneLine } from "./page-text.js";
import { useTiming } from "./timing-panel.js";
import type { TimeRange } from "./time-axis.js";
import { waterfallOf, type Bar, type Waterfall } from "./waterfall.js";

/** Minimum share of the chart's width that a drag has to cover to select a time range. */
const leastDrag = 0.004;

/** Heights in pixels of the graph of requests in flight, and of a lane. */
const flightHeight = 18;
const laneHeight = 13;

/** A waterfall, along with the time range to show. */
interface Plot {
  readonly fall: Waterfall;
  readonly range: TimeRange;
}

/** A chart in which bars show how long sessions, stops and requests lasted. */
export function WaterfallChart({ state }: { readonly state: PageState }): JSX.Element | null {
  const area = useRef<HTMLDivElement>(null);
  const { session } = state.filters.value;
  const timing = useTiming(state);
  const fall = useMemo(() => waterfallOf(state.store, session), [timing, session]);
  const flight = useMemo(() => inFlight(timing, chartWidth, fall.axis), [fall]);
  const [hovered, setHovered] = useState(-1);
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | undefined>();
  const plot = { fall, range: state.zoom.value ?? fall.axis.whole };
  const { range } = plot;
  const isKnown = fall.lanes.length > 0;
  useEffect(() => void (state.axis.value = isKnown ? fall.axis : undefined), [fall]);
  const bars = useMemo(() => <Bars fall={fall} range={range} />, [fall, range.begin, range.end]);
  if (!isKnown) return null;
  const marks = fall.axis.marksOf(range, state.isWide.value ? 12 : 3);
  const placeOf = ({ clientX, clientY }: MouseEvent): { share: number; lane: number } => {
    const { left, width, top } = area.current!.getBoundingClientRect();
    return { share: (clientX - left) / width, lane: Math.floor((clientY - top) / laneHeight) };
  };
  const timeAt = (share: number): number =>
    fall.axis.timeAt(Math.min(1, Math.max(0, share)), range);
  const onUp = (event: MouseEvent): void => {
    setDrag(undefined);
    const [from, to] = [drag?.from ?? 0, drag?.to ?? 0].sort((a, b) => a - b) as [number, number];
    if (to - from >= leastDrag) return state.zoomTo(timeAt(from), timeAt(to));
    const row = barAt(plot, placeOf(event))?.row;
    if (row !== undefined) state.select(row);
  };
  const onWheel = (event: WheelEvent): void => {
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!event.ctrlKey && !event.metaKey && !isSideways) return;
    event.preventDefault();
    if (isSideways) state.pan(Math.sign(event.deltaX || event.deltaY) * 0.1);
    else state.zoomBy(event.deltaY > 0 ? 1.25 : 0.8, timeAt(placeOf(event).share));
  };
  return (
    <figure class="chart fall" aria-label="Waterfall">
      <div class="plot">
        <Scale plot={plot} flight={flight} marks={marks} />
        <div
          class="lanes"
          onMouseDown={(event) => {
            const { share } = placeOf(event);
            if (event.button === 0) setDrag({ from: share, to: share });
          }}
          onMouseMove={(event) => {
            const place = placeOf(event);
            if (drag !== undefined) setDrag({ from: drag.from, to: place.share });
            else setHovered(barAt(plot, place)?.row ?? -1);
          }}
          onMouseUp={onUp}
          onMouseLeave={() => (setDrag(undefined), setHovered(-1))}
          onDblClick={() => state.zoomAll()}
          onWheel={onWheel}
        >
          <div class="titles">
            {fall.lanes.map(({ title, depth }, lane) => (
              <span
                class={title === "" || lane === 0 ? "" : "first"}
                style={{ paddingLeft: `${depth * 6}px` }}
              >
                {title}
              </span>
            ))}
          </div>
          <div ref={area} class="area">
            <Drawing height={fall.lanes.length * laneHeight} label={labelOf(state, plot)}>
              <path class="grid" d={marks.map((mark) => `M${xOf(plot, mark)} 0v1e6`).join("")} />
              {bars}
              <Outlines plot={plot} rows={[state.selected.value, hovered]} />
            </Drawing>
            {drag === undefined ? null : (
              <i
                class="range"
                style={{
                  left: `${100 * Math.min(drag.from, drag.to)}%`,
                  width: `${100 * Math.abs(drag.to - drag.from)}%`,
                }}
              />
            )}
            <SelectedLine state={state} plot={plot} />
          </div>
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
  return <i class="now" style={{ left: leftOf(plot, time) }} />;
}

const legend = [
  ["stop", "stopped"],
  ["request", "request"],
  ["reverse", "reverse request"],
  ["failed", "failed"],
  ["open", "no response"],
  ["area", "in flight"],
] as const;

function Legend(): JSX.Element {
  return (
    <>
      {legend.map(([mark, text]) => (
        <Fragment key={text}>
          <span class="legend">
            <b class={`dot ${mark}`} /> {text}
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

const xOf = ({ fall, range }: Plot, time: number): number =>
  fall.axis.shareOf(time, range) * chartWidth;

const leftOf = (plot: Plot, time: number): string => `${(100 * xOf(plot, time)) / chartWidth}%`;

/** Finds the bar at a place, or the nearest bar within a few pixels in the same lane. */
function barAt(
  plot: Plot,
  { share, lane }: { readonly share: number; readonly lane: number },
): Bar | undefined {
  const x = share * chartWidth;
  let best: Bar | undefined;
  let least = 5;
  for (const bar of x < 0 ? [] : (plot.fall.lanes[lane]?.bars ?? [])) {
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

/** Draws all bars of a kind as one path, whose line is as thick as the bars. */
function Bars(plot: Plot): JSX.Element {
  const { fall, range } = plot;
  const paths = new Map<Bar["kind"], string[]>();
  for (const [lane, { bars }] of fall.lanes.entries()) {
    const y = lane * laneHeight + laneHeight / 2;
    let until = -Infinity;
    let kind: Bar["kind"] | undefined;
    for (const bar of bars) {
      if (bar.end < range.begin) continue;
      if (bar.begin > range.end) break;
      const x = Math.max(-5, xOf(plot, bar.begin));
      const end = Math.min(chartWidth + 5, Math.max(xOf(plot, bar.end) - 0.5, x + 1.5));
      // If several bars share a pixel, draw a failed one if there is one, otherwise the first.
      if (end <= until && bar.kind === kind) continue;
      paths.set(bar.kind, paths.get(bar.kind) ?? []);
      paths.get(bar.kind)!.push(`M${x.toFixed(1)} ${y}H${end.toFixed(1)}`);
      until = Math.ceil(end);
      ({ kind } = bar);
    }
  }
  return (
    <>
      {[...paths].map(([kind, parts]) => (
        <path class={`bars ${kind}`} d={parts.join("")} />
      ))}
    </>
  );
}

/** Outlines the bars that begin at the given rows. */
function Outlines({ plot, rows }: { plot: Plot; rows: readonly number[] }): JSX.Element {
  return (
    <>
      {plot.fall.lanes.flatMap(({ bars }, lane) =>
        bars
          .filter(({ row }) => rows.includes(row))
          .map(({ begin, end }) => {
            const x = xOf(plot, begin);
            const width = Math.max(2, xOf(plot, end) - x);
            return <rect x={x} y={lane * laneHeight + 0.5} width={width} height={laneHeight - 1} />;
          }),
      )}
    </>
  );
}

interface ScaleProps {
  readonly plot: Plot;
  readonly flight: Int32Array;
  readonly marks: readonly number[];
}

/** The time scale, and the graph of requests in flight. */
function Scale({ plot, flight, marks }: ScaleProps): JSX.Element {
  const { fall, range } = plot;
  const shown = Int32Array.from({ length: chartWidth }, (_, x) => {
    const time = fall.axis.timeAt(x / chartWidth, range);
    const place = Math.floor(fall.axis.shareOf(time, fall.axis.whole) * flight.length);
    return flight[Math.min(flight.length - 1, place)]!;
  });
  return (
    <div class="scale">
      <span>in flight ≤ {Math.max(0, ...flight)}</span>
      <div class="area">
        {marks.map((mark, index) => {
          const isFine =
            (marks[index + 1] ?? Infinity) - mark < 1 || mark - (marks[index - 1] ?? 0) < 1;
          const text = isFine ? `${mark.toFixed(3)} ms` : `${timeText(mark)} s`;
          return <small style={{ left: leftOf(plot, mark) }}>{text}</small>;
        })}
        <Drawing height={flightHeight}>
          <FlightArea counts={shown} bottom={flightHeight - 2} height={flightHeight - 4} />
        </Drawing>
      </div>
    </div>
  );
}
