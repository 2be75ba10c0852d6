/** A debug adapter that makes common mistakes for `what-is-wrong.ts` to find. */
import { createDecoder, createEncoder } from "@wirewright/dap";

const encoder = createEncoder();
let seq = 0;

/** Sends any value without type-checking it. */
function say(message: object): void {
  process.stdout.write(encoder.encode({ seq: ++seq, ...message } as never));
}

const answers: Readonly<Record<string, object | undefined>> = {
  initialize: { supportsConfigurationDoneRequest: true },
  setBreakpoints: { breakpoints: [{ verified: true }] },
  threads: { threads: [{ id: "1", name: "main" }] },
};

console.log("adapter is ready"); // stdout is for messages
const decoder = createDecoder({
  onMessage(classified) {
    if (classified.status !== "known" || classified.kind !== "request") return;
    const { command, seq: request_seq } = classified.message;
    const response = { type: "response", request_seq, success: true, command };
    say({ ...response, body: answers[command] });
    if (command === "launch") say({ type: "event", event: "initialized" });
    if (command === "configurationDone") say(response);
    if (command === "disconnect") {
      say({ type: "event", event: "exited", body: { exitCode: 0xffff_ffff } });
      process.stdin.destroy();
    }
  },
});
process.stdin.on("data", (chunk: Buffer) => {
  // Write the responses to all requests in a chunk at once, so that they arrive together.
  process.stdout.cork();
  decoder.push(chunk);
  process.stdout.uncork();
});
