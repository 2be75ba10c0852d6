import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { durationText, timeText } from "../../../../generator/print/amount-text.js";
import { chartWidth, Drawing, FlightArea } from "./chart.js";
import { inFlight, timingByName, timingOf, type Timing } from "./latencies.js";
import type { PageState } from "./page-state.js";
import { countText, oneLine } from "./page-text.js";

/** Latencies at which the chart has grid lines, in milliseconds. */
const marks = [1, 10, 100, 1_000, 10_000];

/** Heights of the two parts of the chart, in pixels. */
const latencyHeight = 62;
const flightHeight = 26;
const chartHeight = latencyHeight + flightHeight;

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
  const timing = useTiming(state);
  const { answered, open, begin, end } = timing;
  const flight = useMemo(() => inFlight(timing, chartWidth), [timing]);
  const dots = useMemo(() => <Dots timing={timing} />, [timing]);
  if (answered.length + open.length === 0) return null;
  const most = Math.max(...flight);
  const time = state.store.row(state.selected.value)?.time;
  return (
    <figure class="chart">
      <div
        class="plot"
        onClick={({ currentTarget, clientX, clientY }) => {
          const { left, width, top } = currentTarget.getBoundingClientRect();
          const row = nearest(timing, (clientX - left) / width, width, clientY - top);
          if (row >= 0) state.select(row);
        }}
      >
        <Drawing
          height={chartHeight}
          label={`${countText(answered.length, "answered request")} in ${timeText(end - begin)} seconds, at most ${most} in flight. The Timing tab has the figures.`}
        >
          <path class="grid" d={marks.map((mark) => `M0 ${yOf(mark)}H${chartWidth}`).join("")} />
          <FlightArea counts={flight} bottom={chartHeight} height={flightHeight - 4} />
          {dots}
        </Drawing>
        {marks
          .filter((mark) => mark !== 10 && mark !== 1_000)
          .map((mark) => (
            <small style={{ top: `${yOf(mark)}px` }}>{durationText(mark)}</small>
          ))}
        {time === undefined ? null : (
          <i class="now" style={{ left: `${100 * shareOf(timing, time)}%` }} />
        )}
      </div>
      <figcaption>
        <span>{timeText(begin)} s</span>
        <span>
          <b class="dot request" /> response time <b class="dot failed" /> failed{" "}
          <b class="dot area" /> in flight, at most {most}
        </span>
        <span>{timeText(end)} s</span>
      </figcaption>
    </figure>
  );
}

/** Draws a dot for each answered request. */
function Dots({ timing }: { readonly timing: Timing }): JSX.Element {
  const pathOf = (hasFailed: boolean): string =>
    timing.answered
      .filter((each) => each.hasFailed === hasFailed)
      .map(({ begin, latency }) => {
        const x = shareOf(timing, begin) * chartWidth;
        return `M${x.toFixed(1)} ${yOf(latency).toFixed(1)}h.01`;
      })
      .join("");
  return (
    <>
      <path class="dots request" d={pathOf(false)} />
      <path class="dots failed" d={pathOf(true)} />
    </>
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

/** Returns the share of the recording's time that is before a time. */
function shareOf({ begin, end }: Timing, time: number): number {
  return (time - begin) / Math.max(end - begin, 1e-6);
}

/**
 * Returns the vertical position of a latency in the chart. The scale is logarithmic, from 0.1 ms at
 * the bottom to 30 s at the top.
 */
function yOf(latency: number): number {
  const share = (Math.log10(Math.max(latency, 0.1)) + 1) / (Math.log10(30_000) + 1);
  return latencyHeight - 3 - Math.min(1, share) * (latencyHeight - 6);
}

/**
 * Returns the row of the request nearest to a point, or -1 if there is none.
 *
 * @param share The point's share of the chart's width, which is given in pixels.
 */
function nearest(timing: Timing, share: number, width: number, y: number): number {
  let best = -1;
  let least = Infinity;
  for (const { request, begin, latency } of timing.answered) {
    const dx = (shareOf(timing, begin) - share) * width;
    const dy = y > latencyHeight ? 0 : yOf(latency) - y;
    const distance = dx * dx + dy * dy;
    if (distance < least) [least, best] = [distance, request];
  }
  return best;
}
