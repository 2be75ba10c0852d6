import { durationText, timeText } from "../../../../generator/print/amount-text.js";
import { Fragment, type JSX, type TargetedMouseEvent, type TargetedWheelEvent } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { inFlight } from "./latencies.js";
import { titleOf } from "./message-list.js";
import { countText, numberText, oneLine } from "./page-text.js";
import type { PageState } from "./page-state.js";
import { useTiming } from "./timing-panel.js";
import {
  barAt,
  drawWaterfall,
  plotOf,
  scaleHeight,
  timeAt,
  xOf,
  type Plot,
} from "./waterfall-drawing.js";
import { waterfallOf, type TimeRange } from "./waterfall.js";

/** Minimum length, in pixels, of a drag that selects a time range. */
const leastDrag = 5;

/** A chart in which bars show how long sessions, stops and requests lasted. */
export function WaterfallChart({ state }: { readonly state: PageState }): JSX.Element | null {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { session } = state.filters.value;
  const timing = useTiming(state);
  const fall = useMemo(() => waterfallOf(state.store, session), [timing, session]);
  const flight = useMemo(() => inFlight(timing, 1_000), [timing]);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [top, setTop] = useState(0);
  const [hovered, setHovered] = useState(-1);
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | undefined>();
  const whole: TimeRange = { begin: fall.begin, end: Math.max(fall.end, fall.begin + 1e-3) };
  const range = state.zoom.value ?? whole;
  const selected = state.selected.value;
  const plot = plotOf(fall, { flight, whole: timing, range, ...size, top, selected, hovered });
  const isKnown = fall.lanes.length > 0;
  useEffect(() => void (state.wholeTime.value = isKnown ? whole : undefined), [fall]);
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
          <SelectedLine {...{ state, plot }} />
        </div>
      </div>
      <figcaption>
        <ZoomButtons {...{ state }} />
        <span class="hovered">{hoverText(state, hovered) ?? <Legend />}</span>
        <span>
          {timeText(range.begin)} to {timeText(range.end)} s
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
  const time = state.store.timeOf(state.selected.value);
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
