/** A time range within a recording, in milliseconds since the recording began. */
export interface TimeRange {
  readonly begin: number;
  readonly end: number;
}

/**
 * The waterfall's time axis. Between two neighbouring times, the axis is as wide as the logarithm
 * of what lies between them, so that a single long wait does not squeeze everything else. Ranges of
 * positions are zoomed and moved instead of ranges of times, for the same reason.
 */
export class TimeAxis {
  /** The times in ascending order, at least two, and where each is on the axis. */
  readonly #times: Float64Array;
  readonly #positions: Float64Array;

  /** @param times The times between which the axis is to be divided, in any order. */
  constructor(times: Iterable<number>) {
    const sorted = Float64Array.from(times)
      .sort()
      .filter((time, index, all) => time !== all[index - 1]);
    const [first = 0] = sorted;
    this.#times = sorted.length > 1 ? sorted : Float64Array.of(first, first + 1e-3);
    const gaps = this.#times.subarray(1).map((time, index) => time - this.#times[index]!);
    // Gaps up to the median are drawn almost in proportion to their length.
    const median = gaps.slice().sort()[gaps.length >> 1]!;
    this.#positions = new Float64Array(this.#times.length);
    for (const [index, gap] of gaps.entries())
      this.#positions[index + 1] = this.#positions[index]! + Math.log1p(gap / median);
  }

  get whole(): TimeRange {
    return { begin: this.#times[0]!, end: this.#times.at(-1)! };
  }

  /** Returns the share of a range, from 0 to 1, that is before a time. */
  shareOf(time: number, range: TimeRange): number {
    const { begin, end } = this.#positionsOf(range);
    return (this.#positionOf(time) - begin) / (end - begin || 1);
  }

  /** Returns the time before which there is a given share of a range. */
  timeAt(share: number, range: TimeRange): number {
    const { begin, end } = this.#positionsOf(range);
    return this.#timeOf(begin + share * (end - begin));
  }

  /**
   * Scales a range. The result never extends beyond the whole axis.
   *
   * @param around The time that keeps its share of the range.
   */
  zoomed(range: TimeRange, factor: number, around = this.timeAt(0.5, range)): TimeRange {
    const { begin, end } = this.#positionsOf(range);
    const length = Math.max(this.#positions.at(-1)! * 1e-7, (end - begin) * factor);
    return this.#within(this.#positionOf(around) - length * this.shareOf(around, range), length);
  }

  /** Moves a range by a share of its length. */
  moved(range: TimeRange, share: number): TimeRange {
    const { begin, end } = this.#positionsOf(range);
    return this.#within(begin + (end - begin) * share, end - begin);
  }

  /** Returns times to mark in a range: of `count` equal parts, the roundest time in each. */
  marksOf(range: TimeRange, count: number): readonly number[] {
    return Array.from({ length: Math.floor(count) }, (_, part) =>
      roundest(this.timeAt((part + 0.2) / count, range), this.timeAt((part + 0.8) / count, range)),
    );
  }

  #positionOf(time: number): number {
    return interpolate(this.#times, this.#positions, time);
  }

  #timeOf(position: number): number {
    return interpolate(this.#positions, this.#times, position);
  }

  #positionsOf({ begin, end }: TimeRange): TimeRange {
    return { begin: this.#positionOf(begin), end: this.#positionOf(end) };
  }

  #within(begin: number, length: number): TimeRange {
    const whole = this.#positions.at(-1)!;
    if (length >= whole) return this.whole;
    const from = Math.min(Math.max(begin, 0), whole - length);
    return { begin: this.#timeOf(from), end: this.#timeOf(from + length) };
  }
}

/** Maps a value between two ascending lists. Values outside are mapped to the nearest end. */
function interpolate(from: Float64Array, to: Float64Array, value: number): number {
  let low = 0;
  let high = from.length - 1;
  if (value <= from[low]!) return to[low]!;
  if (value >= from[high]!) return to[high]!;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (from[middle]! <= value) low = middle;
    else high = middle;
  }
  const share = (value - from[low]!) / (from[high]! - from[low]!);
  return to[low]! + share * (to[high]! - to[low]!);
}

/** Returns a multiple of 1, 2 or 5 times the highest power of ten that has one between two times. */
function roundest(begin: number, end: number): number {
  const highest = Math.ceil(Math.log10(Math.max(Math.abs(begin), Math.abs(end), 1e-9)));
  for (let power = highest; power > highest - 17; power--)
    for (const factor of [5, 2, 1]) {
      const step = factor * 10 ** power;
      const mark = Math.ceil(begin / step) * step;
      if (mark <= end) return mark;
    }
  return begin;
}
