/** Formats a duration, such as `3.1 ms` or `12 s`. */
export function durationText(duration: number): string {
  if (duration === 0) return "0 ms";
  if (duration < 0.1) return `${Math.round(duration * 1_000)} µs`;
  if (duration < 10) return `${duration.toFixed(1)} ms`;
  if (duration < 1_000) return `${Math.round(duration)} ms`;
  return duration < 10_000
    ? `${(duration / 1_000).toFixed(2)} s`
    : `${Math.round(duration / 1_000)} s`;
}

/** Formats a number of bytes, such as `1.2 kB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(bytes < 10_000 ? 1 : 0)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Formats the time since the session began as a number of seconds. */
export function timeText(time: number): string {
  return (time / 1_000).toFixed(3);
}
