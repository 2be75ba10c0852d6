/**
 * An editor built on the Agent Client Protocol SDK, whose agent sets breakpoints in the editor's
 * debugger:
 *
 * node build/examples/breakpoint-editor.js program.py 3 python3 -m debugpy.adapter
 *
 * Before it starts the program, the editor asks the agent for a breakpoint on line 3. Then it
 * debugs the program with the adapter, and prints the agent's messages and the lines at which the
 * program stops.
 */
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Readable, Writable } from "node:stream";
import { client, ndJsonStream } from "@agentclientprotocol/sdk";
import { bridgeBreakpoints, type SetBreakpointsParams } from "@wirewright/acp-breakpoints";
import { spawnAdapter } from "@wirewright/dap/node";

const [program = "", line = "1", command = "", ...args] = process.argv.slice(2);
const path = resolve(program);
const vendor = "_breakpoints.example.dev";

// 1. The bridge keeps the agent's breakpoints.
let notify: (method: string, params: object) => Promise<void> = () => Promise.resolve();
const bridge = bridgeBreakpoints({
  onChanged: (params) => void notify(`${vendor}/breakpoint_changed`, params),
});

// 2. The agent's requests are passed to the bridge.
const agentProcess = spawn(
  process.execPath,
  [fileURLToPath(new URL("./breakpoint-agent.js", import.meta.url))],
  {
    stdio: ["pipe", "pipe", "inherit"],
  },
);
const connection = client()
  .onRequest(
    `${vendor}/set_breakpoints`,
    (params) => params as SetBreakpointsParams,
    ({ params }) => bridge.setBreakpoints(params),
  )
  .onNotification("session/update", ({ params: { update } }) => {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      process.stdout.write(`agent: ${update.content.text}`);
  })
  .connect(
    ndJsonStream(
      Writable.toWeb(agentProcess.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(agentProcess.stdout) as ReadableStream<Uint8Array>,
    ),
  );
notify = (method, params) => connection.agent.notify(method, params);
// Announce the capabilities as defined in the proposal, and also in `_meta`, which the SDK passes
// on to the agent.
const breakpoints = { sourceBreakpoints: true };
const announced = { breakpoints, _meta: { breakpoints } };
await connection.agent.request("initialize", { protocolVersion: 1, clientCapabilities: announced });
const { sessionId } = await connection.agent.request("session/new", {
  cwd: process.cwd(),
  mcpServers: [],
});
await connection.agent.request("session/prompt", {
  sessionId,
  prompt: [{ type: "text", text: `${path} line ${line}` }],
});

// 3. A debug session receives the agent's breakpoints as soon as it is ready for them.
const { connection: debug } = await spawnAdapter(command, args);
debug.on("breakpoint", (event) => void bridge.handleBreakpointEvent(session, event));
let printed = "";
debug.on("output", ({ category, output }) => {
  if (category === "stdout") printed += output;
});
const ready = debug.once("initialized");
const stopped = debug.once("stopped");
const ended = debug.once("terminated");
const capabilities =
  (await debug.request("initialize", { adapterID: "example", pathFormat: "path" })) ?? {};
const session = {
  capabilities,
  request: (name: string, parameters: object) => debug.requestCustom(name, parameters),
};
const launched = debug.request("launch", { program: path, console: "internalConsole" });
await ready;
await bridge.attach(session);
await debug.request("configurationDone");
await launched;

const { threadId = 1, reason } = await stopped;
const { stackFrames } = await debug.request("stackTrace", { threadId, levels: 1 });
console.log(`stopped: ${reason}, line ${stackFrames[0]?.line}`);
await debug.request("continue", { threadId });
await ended;
process.stdout.write(`program: ${printed.trimEnd()}\n`);
await debug.request("disconnect").catch(() => undefined);

// 4. The bridge keeps the breakpoints after the session has ended.
bridge.detach(session);
await debug.close();
await new Promise((done) => setTimeout(done, 200));
connection.close();
agentProcess.kill();
