import type { JSX } from "preact";

/** Width of a chart's drawing, in the units of its paths. Drawings are stretched to the page. */
export const chartWidth = 1_000;

interface DrawingProps {
  readonly height: number;
  /** Describes the drawing to screen readers. Without it, they skip the drawing. */
  readonly label?: string;
  readonly children: JSX.Element | readonly JSX.Element[];
}

/** A drawing that is as high as stated, in pixels, and as wide as there is room. */
export function Drawing({ height, label, children }: DrawingProps): JSX.Element {
  return (
    <svg
      role={label === undefined ? "none" : "img"}
      aria-label={label}
      viewBox={`0 0 ${chartWidth} ${height}`}
      preserveAspectRatio="none"
      style={{ height: `${height}px` }}
    >
      {children}
    </svg>
  );
}

/** The area below a curve of request counts, one for each unit of the width. */
export function FlightArea(props: {
  readonly counts: Int32Array;
  readonly bottom: number;
  readonly height: number;
}): JSX.Element {
  const { counts, bottom, height } = props;
  const most = Math.max(1, ...counts);
  const steps = Array.from(
    counts,
    (count, x) => `V${bottom - (count / most) * height}H${((x + 1) * chartWidth) / counts.length}`,
  );
  return <path class="flight" d={`M0 ${bottom}${steps.join("")}V${bottom}Z`} />;
}
