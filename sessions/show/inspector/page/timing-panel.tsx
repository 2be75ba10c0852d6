import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { durationText, timeText } from "../../../../generator/print/amount-text.js";
import { inFlight, timingByName, timingOf, type Timing } from "./latencies.js";
import type { PageState } from "./page-state.js";
import { countText, oneLine } from "./page-text.js";

/** Latencies at which the chart has grid lines, in milliseconds. */
const marks = [1, 10, 100, 1_000, 10_000];

/** Heights of the two parts of the chart, in pixels. */
const latencyHeight = 62;
const flightHeight = 26;

/**
 * Returns the timing of the messages on the page. On a live page, it is computed at most once a
 * second.
 */
export function useTiming(state: PageState): Timing {
  const version = state.version.value;
  const [at, setAt] = useState(version);
  useEffect(() => {
    const timer = setTimeout(() => setAt(version), 1_000);
    return () => clearTimeout(timer);
  }, [version]);
  return useMemo(() => timingOf(state.store), [at]);
}

/**
 * A chart of requests that shows when they were sent, how long they took, and how many were in
 * flight. A click opens the nearest request.
 */
export function TimingChart({ state }: { readonly state: PageState }): JSX.Element | null {
  const canvas = useRef<HTMLCanvasElement>(null);
  const timing = useTiming(state);
  const [width, setWidth] = useState(0);
  const isKnown = timing.answered.length + timing.open.length > 0;
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const measure = new ResizeObserver(() => setWidth(element.clientWidth));
    measure.observe(element);
    return () => measure.disconnect();
  }, [isKnown]);
  useEffect(() => {
    const element = canvas.current;
    if (element === null || width === 0) return undefined;
    const draw = (): void => drawChart(element, timing, width);
    draw();
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", draw);
    return () => scheme.removeEventListener("change", draw);
  }, [timing, width]);
  if (!isKnown) return null;
  const most = width === 0 ? 0 : Math.max(...inFlight(timing, Math.max(1, width)));
  const selected = state.store.row(state.selected.value);
  const span = Math.max(timing.end - timing.begin, 1e-6);
  return (
    <figure class="chart">
      <div class="plot">
        <canvas
          ref={canvas}
          role="img"
          aria-label={`${countText(timing.answered.length, "answered request")} in ${timeText(timing.end - timing.begin)} seconds, at most ${most} in flight. The Timing tab has the figures.`}
          onClick={(event) => {
            const row = nearest(timing, event.offsetX, event.offsetY, width);
            if (row >= 0) state.select(row);
          }}
        />
        {selected?.time === undefined ? null : (
          <i class="now" style={{ left: `${(100 * (selected.time - timing.begin)) / span}%` }} />
        )}
      </div>
      <figcaption>
        <span>{timeText(timing.begin)} s</span>
        <span>
          <b class="dot" /> response time <b class="dot failed" /> failed <b class="area" /> in
          flight, at most {most}
        </span>
        <span>{timeText(timing.end)} s</span>
      </figcaption>
    </figure>
  );
}

/** The table of response times by request name. */
export function TimingPanel({ state }: { readonly state: PageState }): JSX.Element {
  const timing = useTiming(state);
  const rows = useMemo(() => timingByName(timing), [timing]);
  if (rows.length === 0) return <p class="empty">The recording contains no request times.</p>;
  return (
    <section aria-label="Timing">
      <div class="scroll" tabIndex={0} role="region" aria-label="Response time by name">
        <table>
          <thead>
            <tr>
              <th scope="col">request</th>
              <th scope="col">count</th>
              <th scope="col">median</th>
              <th scope="col">95 %</th>
              <th scope="col">longest</th>
              <th scope="col">open</th>
            </tr>
          </thead>
          <tbody>
            {rows
              .slice(0, 200)
              .map(({ name, from, count, unanswered, median, most, longest, longestRow }) => (
                <tr>
                  <th scope="row">
                    <button
                      type="button"
                      class="link"
                      title="Show only these"
                      onClick={() =>
                        state.filter({ name: state.filters.value.name === name ? "" : name })
                      }
                    >
                      {oneLine(name)}
                    </button>
                    {rows.some((row) => row.name === name && row.from !== from)
                      ? ` from the ${oneLine(state.store.head.roles[from]!)}`
                      : ""}
                  </th>
                  <td>{count.toLocaleString("en")}</td>
                  <td>{longestRow < 0 ? "" : durationText(median)}</td>
                  <td>{longestRow < 0 ? "" : durationText(most)}</td>
                  <td>
                    {longestRow < 0 ? null : (
                      <button type="button" class="link" onClick={() => state.select(longestRow)}>
                        {durationText(longest)}
                      </button>
                    )}
                  </td>
                  <td>{unanswered === 0 ? "" : unanswered.toLocaleString("en")}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function drawChart(canvas: HTMLCanvasElement, timing: Timing, width: number): void {
  const scale = devicePixelRatio;
  const height = latencyHeight + flightHeight;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const drawing = canvas.getContext("2d")!;
  drawing.scale(scale, scale);
  const colour = (name: string): string => getComputedStyle(canvas).getPropertyValue(name);
  drawing.font = "10px system-ui, sans-serif";
  for (const mark of marks) {
    const y = yOf(mark);
    drawing.fillStyle = colour("--line-drawn");
    drawing.fillRect(0, Math.round(y), width, 1);
    drawing.fillStyle = colour("--dim-drawn");
    if (mark === 1 || mark === 100 || mark === 10_000)
      drawing.fillText(mark < 1_000 ? `${mark} ms` : `${mark / 1_000} s`, 3, y + 9);
  }
  const flight = inFlight(timing, Math.max(1, width));
  const most = Math.max(1, ...flight);
  drawing.fillStyle = colour("--flight-drawn");
  for (let x = 0; x < flight.length; x++) {
    const size = (flight[x]! / most) * (flightHeight - 4);
    drawing.fillRect(x, height - size, 1, size);
  }
  const span = Math.max(timing.end - timing.begin, 1e-6);
  // If there are many dots, make them translucent, so that dense areas are darker.
  drawing.globalAlpha = Math.min(1, Math.max(0.08, (3 * width) / timing.answered.length));
  for (const hasFailed of [false, true]) {
    drawing.fillStyle = colour(hasFailed ? "--error-drawn" : "--link-drawn");
    for (const each of timing.answered) {
      if (each.hasFailed !== hasFailed) continue;
      const x = ((each.begin - timing.begin) / span) * width;
      drawing.fillRect(x - 1.5, yOf(each.latency) - 1.5, 3, 3);
    }
  }
}

/**
 * Returns the vertical position of a latency in the chart. The scale is logarithmic, from 0.1 ms at
 * the bottom to 30 s at the top.
 */
function yOf(latency: number): number {
  const share = (Math.log10(Math.max(latency, 0.1)) + 1) / (Math.log10(30_000) + 1);
  return latencyHeight - 3 - Math.min(1, share) * (latencyHeight - 6);
}

/** Returns the row of the request nearest to a point, or -1 if there is none. */
function nearest({ answered, begin, end }: Timing, x: number, y: number, width: number): number {
  const span = Math.max(end - begin, 1e-6);
  let best = -1;
  let least = Infinity;
  for (const each of answered) {
    const dx = ((each.begin - begin) / span) * width - x;
    const dy = y > latencyHeight ? 0 : yOf(each.latency) - y;
    const distance = dx * dx + dy * dy;
    if (distance < least) {
      least = distance;
      best = each.request;
    }
  }
  return best;
}
