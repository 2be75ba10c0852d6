/** Sends ten million messages through a single decoder and encoder. The heap must not grow. */
import { FrameDecoder, FrameEncoder } from "../../runtime/index.js";
import { chunksOf, workloads } from "./codec-corpus.js";
import type { Bench } from "./report.js";

export const bench: Bench = (report, { args }) => {
  const table = report.table("memory in use", ["messages"], { heap: "MB", faults: "" });
  const total = Number(args[0] ?? 10_000_000);
  const collect = (globalThis as { gc?: () => void }).gc;
  if (collect === undefined) throw new Error("Run with --expose-gc");

  const chunks = [workloads.tiny, workloads.outputWide].flatMap((load) =>
    chunksOf(load.framed, 1460),
  );
  const encoder = new FrameEncoder();
  let messages = 0;
  let faults = 0;
  const decoder = new FrameDecoder({
    onMessage: (message) => {
      if (++messages % 16 === 0) encoder.encode(message);
    },
    onFault: () => faults++,
  });
  const junk = new TextEncoder().encode("printed in between\n");
  let settled = 0;
  for (let mark = 1; mark <= 10; mark++) {
    while (messages < (total * mark) / 10) {
      for (const chunk of chunks) decoder.push(chunk);
      decoder.push(junk);
    }
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const megabytes = (heapUsed + arrayBuffers) / 2 ** 20;
    if (mark === 2) settled = megabytes;
    table.row([messages.toLocaleString("en")], {
      heap: [Math.round(megabytes * 10) / 10, 0],
      faults: [faults, 0],
    });
    if (mark > 2 && megabytes > settled * 1.2 + 4) throw new Error("the heap grows");
  }
};
