/**
 * An agent built on the Agent Client Protocol SDK. It sets breakpoints on the lines named in the
 * prompt and replies with their states. It is started by `breakpoint-editor.ts`.
 */
import { Readable, Writable } from "node:stream";
import { agent, ndJsonStream } from "@agentclientprotocol/sdk";
import {
  supports,
  type BreakpointCapabilities,
  type BreakpointChangedParams,
  type SetBreakpointsResult,
} from "@wirewright/acp-breakpoints";

const vendor = "_breakpoints.example.dev";
const sessionId = "one";

/** The parts of the SDK's `context.client` that this program uses. */
interface Editor {
  request(method: string, params: object): Promise<unknown>;
  notify(method: string, params: object): Promise<void>;
}

let breakpoints: BreakpointCapabilities | undefined;
let editor: Editor | undefined;

function say(text: string): Promise<void> | undefined {
  const content = { type: "text", text: `${text}\n` };
  const update = { sessionUpdate: "agent_message_chunk", content };
  return editor?.notify("session/update", { sessionId, update });
}

agent()
  .onRequest("initialize", ({ params }) => {
    // The SDK only passes on the capabilities that it defines itself, and everything in `_meta`.
    const { _meta } = params.clientCapabilities ?? {};
    breakpoints = _meta?.["breakpoints"] as BreakpointCapabilities | undefined;
    return { protocolVersion: 1, agentCapabilities: {} };
  })
  .onRequest("session/new", () => ({ sessionId }))
  .onRequest("session/prompt", async (context) => {
    editor = (context as unknown as { client: Editor }).client;
    const [block] = context.params.prompt;
    const [path = "", line = ""] = block?.type === "text" ? block.text.split(" line ") : [];
    if (breakpoints === undefined || !supports({ breakpoints }, "setBreakpoints")) {
      await say("This editor has no debugger");
      return { stopReason: "end_turn" };
    }
    const asked = { source: { path }, breakpoints: [{ line: Number(line) }] };
    const set = (await editor.request(`${vendor}/set_breakpoints`, asked)) as SetBreakpointsResult;
    for (const each of set.breakpoints)
      await say(`breakpoint ${each.id}: ${each.verified ? "verified" : each.message}`);
    return { stopReason: "end_turn" };
  })
  .onNotification(
    `${vendor}/breakpoint_changed`,
    (params) => params as BreakpointChangedParams,
    ({ params: { breakpoint } }) =>
      say(
        `breakpoint ${breakpoint.id}, line ${breakpoint.line}: ${breakpoint.verified ? "verified" : breakpoint.message}`,
      ),
  )
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );
