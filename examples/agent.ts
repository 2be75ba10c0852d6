/**
 * A Model Context Protocol server that lets an agent debug programs:
 * `node build/examples/agent.js programs.json`. The file lists the programs that the agent may
 * start, by name:
 *
 *     { "count": { "command": "node", "args": ["adapter.js"], "launch": {} } }
 */
import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { spawnAdapter } from "@wirewright/dap/node";
import {
  attach,
  launch,
  type DebugSession,
  type ProgramEnd,
  type ProgramStop,
} from "@wirewright/dap/session";

const programs = z
  .record(
    z.string(),
    z.object({
      /** The command that starts the adapter. */
      command: z.string(),
      args: z.array(z.string()).default([]),
      cwd: z.string().optional(),
      /** Arguments of the `launch` request. If `attach` is set, `attach` is sent instead. */
      launch: z.looseObject({}).optional(),
      attach: z.looseObject({}).optional(),
    }),
  )
  .parse(JSON.parse(readFileSync(process.argv[2] ?? "programs.json", "utf8")));

/** Results are kept short because an agent reads them. */
const budget = { frames: 10, items: 60, depth: 2, bytes: 8_000, valueBytes: 200 };
const maxOutput = 4_000;
/** How long to wait for a response or for the program to stop, in milliseconds. */
const timeoutMs = 10_000;

let session: DebugSession | undefined;
/** Number of output characters that the agent has already read. */
let read = 0;

function running(): DebugSession {
  if (session !== undefined) return session;
  throw new Error("No program is being debugged: call launch first");
}

/** Returns the output since the last call. If it is too long, returns only the end. */
function newOutput(): string {
  const text = session?.output.text() ?? "";
  const added = text.slice(Math.min(read, text.length));
  read = text.length;
  return added.length > maxOutput ? `…${added.slice(-maxOutput)}` : added;
}

/** Describes where the program is, within the budget for snapshots. */
async function describe(state: ProgramStop | ProgramEnd | undefined): Promise<object> {
  if (state === undefined) return { state: "running", output: newOutput() };
  if (state.kind === "ended") {
    const { reason, error } = state;
    const exitCode = session?.exitCode;
    return { state: "ended", reason, exitCode, error: error?.message, output: newOutput() };
  }
  const { reason, threadId, body } = state;
  const { frames, cut } = await state.session.snapshot({ ...budget, timeoutMs });
  const { description, text } = body;
  return {
    state: "stopped",
    reason,
    description,
    text,
    threadId,
    frames,
    cut,
    output: newOutput(),
  };
}

/** A wait that times out is not an error: the program keeps running. */
async function stateWithin(wait: Promise<ProgramStop | ProgramEnd>): Promise<object> {
  const state = await wait.catch((error: { readonly code?: string }) => {
    if (error.code === "ERR_TIMEOUT") return undefined;
    throw error;
  });
  return describe(state);
}

async function end(): Promise<object> {
  const ended = session;
  if (ended === undefined) return { state: "none" };
  const state = await ended.terminate({ terminateMs: 2_000 });
  const result = await describe(state);
  session = undefined;
  read = 0;
  return result;
}

const server = new McpServer({ name: "wirewright-agent", version: "0.1.0" });

/**
 * Adds a tool. Its result is returned as JSON, and an exception as a failure with the exception's
 * message.
 */
function tool<Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  shape: Shape,
  run: (given: z.infer<z.ZodObject<Shape>>) => Promise<object>,
): void {
  const answer = async (given: unknown): Promise<{ content: [{ type: "text"; text: string }] }> => {
    const result = await run(given as z.infer<z.ZodObject<Shape>>);
    return { content: [{ type: "text", text: JSON.stringify(result) }] };
  };
  server.registerTool(name, { description, inputSchema: z.object(shape) }, answer as never);
}

const lines = z
  .array(z.union([z.int(), z.object({ line: z.int(), condition: z.string().optional() })]))
  .describe("1-based line numbers, or lines with conditions");
type Lines = z.infer<typeof lines>;
const plain = (given: Lines): (number | { line: number; condition?: string })[] =>
  given.map((each) =>
    typeof each === "number" ? each : (JSON.parse(JSON.stringify(each)) as { line: number }),
  );

tool(
  "launch",
  `Starts a program and runs it to its first breakpoint or its end. Programs: ${Object.keys(programs).join(", ")}`,
  {
    program: z.enum(Object.keys(programs) as [string, ...string[]]),
    breakpoints: z.record(z.string(), lines).default({}).describe("By path"),
  },
  async ({ program, breakpoints }) => {
    await end();
    const { command, args, cwd, launch: started = {}, attach: attached } = programs[program]!;
    const options = { timeoutMs, ...(cwd === undefined ? {} : { cwd }) };
    const start = attached === undefined ? launch : attach;
    const planned = Object.entries(breakpoints).map(([path, each]) => [path, plain(each)] as const);
    session = await start(() => spawnAdapter(command, args, options), {
      arguments: attached ?? started,
      breakpoints: Object.fromEntries(planned),
      timeoutMs,
    });
    const { all } = session.breakpoints;
    return { ...(await stateWithin(session.waitForStop({ timeoutMs }))), breakpoints: all };
  },
);

tool(
  "set_breakpoints",
  "Replaces the breakpoints in a file",
  { path: z.string(), lines },
  async (given) => ({
    breakpoints: await running().setBreakpoints(given.path, plain(given.lines)),
  }),
);

tool(
  "run",
  "Resumes the program and waits a few seconds for it to stop or end",
  {
    how: z.enum(["continue", "next", "stepIn", "stepOut", "pause", "wait"]).default("continue"),
    seconds: z.number().min(0.1).max(60).default(10),
  },
  ({ how, seconds }) => {
    const limit = { timeoutMs: seconds * 1_000 };
    return stateWithin(how === "wait" ? running().waitForStop(limit) : running()[how](limit));
  },
);

tool(
  "evaluate",
  "Evaluates an expression in a frame of the stopped program",
  { expression: z.string(), frameId: z.int().optional().describe("Default: the top frame") },
  async ({ expression, frameId }) => {
    const { stop } = running();
    if (stop === undefined) throw new Error("The program is not stopped: call run with pause");
    const own = stop.session;
    const [top] = (await own.snapshot({ frames: 1, framesWithVariables: 0, timeoutMs })).frames;
    const frame = frameId ?? top?.id;
    const parameters = { expression, context: "watch", ...(frame && { frameId: frame }) };
    const { result, type } = await own.request("evaluate", parameters, { timeoutMs });
    return { result: result.slice(0, maxOutput), type };
  },
);

tool("output", "Returns the program's output since the last call", {}, async () => {
  const { stop } = running();
  return { output: newOutput(), state: stop === undefined ? "running" : "stopped" };
});

tool("stop", "Ends the program", {}, end);

server.server.onclose = () => void end().then(() => process.exit());
await server.connect(new StdioServerTransport());
