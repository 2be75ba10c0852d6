/**
 * Measures how much hostile streams cost: time per byte and peak memory at growing sizes. Each size
 * runs in a separate process. If the input can be parsed, `JSON.parse` is measured too. Time per
 * byte must stay flat, and memory must stay within the limit shown in the last column.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { FrameDecoder, type FrameDecoderOptions } from "../../runtime/index.js";
import { selects, type Bench } from "./report.js";
import type { Figure } from "./results.js";

interface Row {
  readonly name: string;
  /** The unit in which time is measured. Default: byte. */
  readonly unit?: string;
  /**
   * The largest number of units. The smaller sizes are a quarter of that, a sixteenth, and so on.
   */
  readonly size: number;
  /** The memory limit, worded for the last column of the table. */
  readonly bound: string;
  /** Prepares an input of `size` units and returns the function to measure. */
  prepare(size: number): () => void | Promise<void>;
  /** Prepares the same input for the JSON parser alone. */
  prepareParser?(size: number): () => void;
}

const megabyte = 1e6;

/**
 * Returns a function that creates a stream: a prefix, followed by one string repeated until the
 * size is reached.
 */
function repeated(beginning: string, part: string, end = ""): (size: number) => Buffer {
  return (size) => {
    const bytes = Buffer.alloc(size);
    const start = bytes.write(beginning, "latin1");
    const count = Math.floor((size - start - end.length) / part.length);
    bytes.fill(part, start, start + count * part.length, "latin1");
    bytes.write(end, start + count * part.length, "latin1");
    return bytes.subarray(0, start + count * part.length + end.length);
  };
}

/** Creates header lines that all have different names. */
function distinctLines(size: number): Buffer {
  const bytes = Buffer.alloc(size, "\n");
  for (let at = 0, line = 0; at < size; line++)
    at += bytes.write(`X-${line.toString(36)}: value ${line}\r\n`, at, "latin1");
  return bytes;
}

/** Pushes a stream in chunks and ignores the results. */
function decode(
  make: (size: number) => Buffer,
  { chunk = 65_536, ...options }: Partial<FrameDecoderOptions> & { chunk?: number } = {},
): Row["prepare"] {
  return (size) => {
    const bytes = make(size);
    // Creating a view for each byte would take longer than decoding it.
    const single = new Uint8Array(1);
    return () => {
      const decoder = new FrameDecoder({
        onMessage: () => undefined,
        onFault: () => undefined,
        limits: { maxBodyBytes: 1 << 30 },
        ...options,
      });
      for (let at = 0; at < bytes.length; at += chunk) {
        if (chunk > 1) decoder.push(bytes.subarray(at, Math.min(bytes.length, at + chunk)));
        else {
          single[0] = bytes[at]!;
          decoder.push(single);
        }
      }
      decoder.end();
    };
  };
}

/** Prepares a complete frame whose body is an array that contains one string repeatedly. */
function bodyOf(part: string): Pick<Row, "prepare" | "prepareParser"> {
  const make = repeated('{"a":[', part, "0]}");
  return {
    prepare: decode((size) => {
      const body = make(size);
      return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
    }),
    prepareParser: (size) => {
      const text = make(size).toString("latin1");
      return () => void JSON.parse(text);
    },
  };
}

/** Creates a body of about `size` bytes that consists only of nested arrays. */
function nested(size: number): Buffer {
  const bytes = Buffer.alloc(size, "[");
  const start = bytes.write(`Content-Length: ${size - 100}\r\n\r\n{"a":`);
  bytes.fill("]", (start + size) >> 1);
  bytes.write("}", start + size - 101);
  return bytes.subarray(0, start + size - 100);
}

const rows: readonly Row[] = [
  {
    name: "header of one endless line",
    size: 64 * megabyte,
    bound: "maxHeaderBytes",
    prepare: decode(repeated("X-Long: ", "x")),
  },
  {
    name: "header of endless blanks",
    size: 64 * megabyte,
    bound: "maxHeaderBytes",
    prepare: decode(repeated("a:", " ", "\rx\r\n")),
  },
  {
    name: "header of endless lines",
    size: 64 * megabyte,
    bound: "maxHeaderBytes",
    prepare: decode(distinctLines),
  },
  {
    name: "printed lines without an end",
    size: 64 * megabyte,
    bound: "maxHeaderBytes",
    prepare: decode(repeated("", "out\n")),
  },
  {
    name: "body that never ends",
    size: 64 * megabyte,
    bound: "3 × its bytes, up to maxBodyBytes",
    prepare: decode(repeated('Content-Length: 1000000000\r\n\r\n{"a":"', "x\n")),
  },
  {
    name: "body beyond the limit",
    size: 64 * megabyte,
    bound: "maxBodyBytes",
    prepare: decode(repeated('Content-Length: 1000000000\r\n\r\n{"a":"', "x\n"), {
      limits: { maxBodyBytes: megabyte },
    }),
  },
  {
    name: "line that never ends",
    size: 64 * megabyte,
    bound: "3 × maxBodyBytes",
    prepare: decode(repeated('{"a":"', "x"), {
      framing: "lines",
      limits: { maxBodyBytes: megabyte },
    }),
  },
  {
    name: "chunks of one byte",
    unit: "chunk",
    size: 4 * megabyte,
    bound: "3 × its bytes, up to maxBodyBytes",
    prepare: decode(repeated('Content-Length: 1000000000\r\n\r\n{"a":"', "x"), { chunk: 1 }),
  },
  {
    name: "frames that promise too much",
    size: 16 * megabyte,
    bound: "3 × its bytes, up to maxBodyBytes",
    prepare: decode(repeated("", "Content-Length: 1000000\r\n\r\nx")),
  },
  {
    name: "frames that are not objects",
    size: 16 * megabyte,
    bound: "a chunk",
    prepare: decode(repeated("", "Content-Length: 2\r\n\r\n[]")),
  },
  {
    name: "lines that are not objects",
    size: 16 * megabyte,
    bound: "a chunk",
    prepare: decode(repeated("", "[]\n"), { framing: "lines" }),
  },
  {
    name: "deep nesting",
    size: 16 * megabyte,
    bound: "100 bytes a level up to 2 MiB, then 3 × its bytes",
    prepare: decode(nested),
  },
  { name: "list of lists", size: 16 * megabyte, bound: "what JSON.parse takes", ...bodyOf("[],") },
  {
    name: "list of objects",
    size: 16 * megabyte,
    bound: "what JSON.parse takes",
    ...bodyOf("{},"),
  },
  { name: "list of numbers", size: 16 * megabyte, bound: "what JSON.parse takes", ...bodyOf("1,") },
  {
    name: "list of texts",
    size: 64 * megabyte,
    bound: "what JSON.parse takes",
    ...bodyOf('"a[{",'),
  },
];

const steps = [64, 16, 4, 1];
const warmMicroseconds = 500_000;

/** Measures one cell in this process and prints the result. */
async function measure(name: string, size: number, isParser: boolean): Promise<void> {
  const row = rows.find((each) => each.name === name)!;
  const prepare = isParser ? row.prepareParser! : row.prepare;
  const collect = (globalThis as { gc?: () => void }).gc;
  const run = prepare(size);
  const warm = prepare(row.size / steps[0]!);
  collect?.();
  // Collect garbage first, which also drops compiled code.
  for (const start = process.cpuUsage(); process.cpuUsage(start).user < warmMicroseconds;)
    await warm();
  forgetPeak();
  const before = process.memoryUsage.rss();
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  const peak = process.resourceUsage().maxRSS * 1024 - before;
  console.log(JSON.stringify([((user + system) * 1e3) / size, peak / megabyte]));
}

/**
 * Resets the process's peak memory. Only Linux supports this; on other systems, the peak includes
 * the warm-up.
 */
function forgetPeak(): void {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Without a reset, the figure is an upper bound.
  }
}

function measureApart(name: string, size: number, isParser: boolean): readonly [number, number] {
  const self = fileURLToPath(import.meta.url);
  const args = ["--expose-gc", self, name, String(size), String(isParser)];
  const { stdout } = spawnSync(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  return JSON.parse(String(stdout)) as [number, number];
}

export const bench: Bench = (report, options) => {
  const table = report.table("streams", ["stream", "size"], {
    time: "ns",
    memory: "MB",
    "memory is bounded by": "",
  });
  for (const row of rows) {
    const { name, unit = "byte", size, bound, prepareParser } = row;
    for (const isParser of prepareParser === undefined ? [false] : [false, true]) {
      const who = isParser ? `${name}: JSON.parse alone` : name;
      if (!selects(options, [who])) continue;
      for (const step of options.isQuick ? steps.slice(0, 1) : steps) {
        const [time, memory] = measureApart(name, size / step, isParser);
        const figure = (value: number): Figure => [Number(value.toPrecision(3)), 0];
        table.row([who, `${size / step / megabyte} million ${unit}s`], {
          time: figure(time),
          memory: figure(Math.round(memory)),
          ...(isParser ? {} : { "memory is bounded by": bound }),
        });
      }
    }
  }
};

const [name, size, isParser] = process.argv.slice(2);
if (process.argv[1] === fileURLToPath(import.meta.url))
  await measure(name!, Number(size), isParser === "true");
