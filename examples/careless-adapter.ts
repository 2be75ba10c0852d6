/** A debug adapter with mistakes that are easily made. `what-is-wrong.ts` finds them. */
import { createDecoder, createEncoder } from "../generated/dap/index.js";

const encoder = createEncoder();
let seq = 0;

/** Says whatever it is given: nothing here looks at types. */
function say(message: object): void {
  process.stdout.write(encoder.encode({ seq: ++seq, ...message } as never));
}

const answers: Readonly<Record<string, object | undefined>> = {
  initialize: { supportsConfigurationDoneRequest: true },
  setBreakpoints: { breakpoints: [{ verified: true }] },
  threads: { threads: [{ id: "1", name: "main" }] },
};

console.log("adapter is ready"); // where messages go
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
  // One write for all that a chunk brings about: the client hears of it at once.
  process.stdout.cork();
  decoder.push(chunk);
  process.stdout.uncork();
});
