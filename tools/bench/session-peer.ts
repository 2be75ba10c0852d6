/** An adapter that prints a lot before it sends `initialized`. */
import { once } from "node:events";
import { createEncoder } from "@wirewright/dap";
import { FrameDecoder } from "../../runtime/index.js";

const events = Number(process.argv[2]);
const batch = 500;
const encoder = createEncoder();
let seq = 0;
const frame = (message: object): Uint8Array => encoder.encode({ seq: ++seq, ...message } as never);

async function print(): Promise<void> {
  for (let sent = 0; sent < events; sent += batch) {
    const frames = Array.from({ length: batch }, (_, at) =>
      frame({
        type: "event",
        event: "output",
        body: { category: "stdout", output: `line ${sent + at} of the program\n` },
      }),
    );
    if (!process.stdout.write(Buffer.concat(frames))) await once(process.stdout, "drain");
  }
}

async function answer({ seq: request_seq, command }: Record<string, unknown>): Promise<void> {
  process.stdout.write(frame({ type: "response", request_seq, success: true, command }));
  if (command === "initialize") {
    await print();
    process.stdout.write(frame({ type: "event", event: "initialized" }));
  }
  if (command === "disconnect") process.exit();
}

const decoder = new FrameDecoder({ onMessage: (message) => void answer(message as never) });
process.stdin.on("data", (chunk: Uint8Array) => decoder.push(chunk));
