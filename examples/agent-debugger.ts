/**
 * A Model Context Protocol server that lets an agent debug programs:
 * `node build/examples/agent-debugger.js programs.json`. The file lists the programs that the agent
 * may start, by name:
 *
 *     { "sum": { "command": "lldb-dap", "launch": { "program": "build/sum" } } }
 *
 * `mcp/debugger-tools.json` describes the tools. Agents read it, and `wirewright generate` derives
 * the types and validators of their arguments from it.
 */
import { readFileSync } from "node:fs";
import { isOutputEvent } from "@wirewright/dap";
import { nodeTransport, spawnAdapter } from "@wirewright/dap/node";
import * as dap from "@wirewright/dap/session";
import schema from "./mcp/debugger-tools.json" with { type: "json" };
import { connect, Refusal } from "./mcp/generated/connection.js";
import type { SetBreakpointsTool, Tool } from "./mcp/generated/types.js";
import * as validators from "./mcp/generated/validators.js";

/** Limits for what an agent has to read, in characters. */
const [maxState, maxResult] = [2_000, 4_000];
/** How long to wait for a response, in milliseconds. */
const timeoutMs = 10_000;

function checked<Given>(validate: validators.Validator<Given>, value: unknown): Given {
  const result = validate(value);
  if (result.ok) return result.value;
  throw new Error(`Invalid: ${result.issues.map(validators.describeIssue).join("; ")}`);
}

const list: unknown = JSON.parse(readFileSync(process.argv[2] ?? "programs.json", "utf8"));
const programs = checked(validators.validatePrograms, list);
const names = Object.keys(programs).join(", ");

let session: dap.DebugSession | undefined;
/** Output that the agent has not read yet. */
let unread = "";
/** The frames of the latest snapshot, which agents refer to by number. */
let frames: readonly dap.FrameSnapshot[] = [];

function running(): dap.DebugSession {
  if (session !== undefined) return session;
  throw new Error("No program is being debugged: call launch first");
}

function stopped(): dap.ProgramStop {
  const { stop } = running();
  if (stop !== undefined) return stop;
  throw new Error('The program is not stopped: call step with "pause" or "wait"');
}

function takeOutput(): string {
  const output = unread;
  unread = "";
  return output;
}

async function describeStop(characters: number, framesWithVariables: number): Promise<string> {
  const { reason, threadId, body, session: own } = stopped();
  const title = `stopped: ${[reason, body.description, body.text].filter(Boolean).join(", ")}\n`;
  const left = Math.max(0, characters - title.length);
  const budget = { bytes: characters, valueBytes: 200, framesWithVariables, timeoutMs };
  const snapshot = await own.snapshot({ ...budget, threadId });
  ({ frames } = snapshot);
  return `${title}${dap.printSnapshot(snapshot, { characters: left })}`.slice(0, characters);
}

/** Describes the next stop or the end. If neither comes in time, the program keeps running. */
async function describeNext(next: Promise<dap.ProgramStop | dap.ProgramEnd>): Promise<string> {
  const state = await next.catch((error: { readonly code?: string }) => {
    if (error.code === "ERR_TIMEOUT") return undefined;
    throw error;
  });
  let text = "running";
  if (state?.kind === "stopped") text = await describeStop(maxState, 1);
  if (state?.kind === "ended") text = `ended: ${state.reason}, exit code ${state.exitCode ?? "?"}`;
  const output = takeOutput();
  return output === "" ? text : `${text}\noutput:\n${output}`;
}

type Lines = SetBreakpointsTool["breakpoints"];

/** Lists the breakpoints in a file, each with the reason if the adapter has not set it. */
function describeBreakpoints(path: string, lines: Lines): string {
  const set = running().breakpoints.of(path);
  const described = lines.map(({ line }, index) => {
    const {
      verified = false,
      line: actual = line,
      message = "the adapter gave no reason",
    } = set[index] ?? {};
    return `${path}:${line} ${verified ? `set in line ${actual}` : `not set: ${message}`}`;
  });
  return described.join("\n");
}

async function end(): Promise<string> {
  if (session === undefined) return "no program";
  const text = await describeNext(session.terminate({ terminateMs: 2_000 }));
  [session, frames] = [undefined, []];
  return text;
}

type Definition = Extract<keyof typeof schema.definitions, `${string}Tool`>;

/** Defines a tool, whose arguments are checked before it is called. */
function tool<Given>(
  definition: Definition,
  validate: validators.Validator<Given>,
  call: (given: Given) => string | Promise<string>,
): { input: Omit<Tool, "name">; call: (given: unknown) => string | Promise<string> } {
  const { description, ...inputSchema } = schema.definitions[definition];
  const input = { description, inputSchema: { ...inputSchema, type: "object" } } as const;
  return { input, call: (given) => call(checked(validate, given)) };
}

const tools: Readonly<Record<string, ReturnType<typeof tool> | undefined>> = {
  launch: tool("LaunchTool", validators.validateLaunchTool, async (given) => {
    const { command, args = [], cwd, launch = {} } = programs[given.program] ?? {};
    if (command === undefined) throw new Error(`The programs are: ${names}`);
    await end();
    const byPath: Record<string, Lines> = {};
    for (const { path, ...line } of given.breakpoints ?? []) (byPath[path] ??= []).push(line);
    const options = { timeoutMs, ...(cwd === undefined ? {} : { cwd }) };
    session = await dap.launch(() => spawnAdapter(command, args, options), {
      arguments: launch,
      breakpoints: byPath,
      timeoutMs,
      onEvent(event) {
        if (isOutputEvent(event)) unread = `${unread}${event.body.output}`.slice(-maxResult);
      },
    });
    const state = await describeNext(session.waitForStop({ timeoutMs }));
    const set = Object.entries(byPath).map((each) => describeBreakpoints(...each));
    return [...set, state].join("\n");
  }),
  set_breakpoints: tool(
    "SetBreakpointsTool",
    validators.validateSetBreakpointsTool,
    async (given) => {
      await running().setBreakpoints(given.path, given.breakpoints);
      return describeBreakpoints(given.path, given.breakpoints);
    },
  ),
  step: tool("StepTool", validators.validateStepTool, ({ how, seconds = 10 }) => {
    const limit = { timeoutMs: seconds * 1_000 };
    return describeNext(how === "wait" ? running().waitForStop(limit) : running()[how](limit));
  }),
  snapshot: tool("SnapshotTool", validators.validateSnapshotTool, (given) =>
    describeStop(given.characters ?? maxState, given.framesWithVariables ?? 3),
  ),
  evaluate: tool("EvaluateTool", validators.validateEvaluateTool, async (given) => {
    const own = stopped().session;
    const frameId = frames[given.frame ?? 0]?.id;
    if (frameId === undefined) throw new Error("There is no such frame: call snapshot");
    const parameters = { expression: given.expression, frameId, context: "watch" };
    const { result, type } = await own.request("evaluate", parameters, { timeoutMs });
    return `${type === undefined ? "" : `${type}: `}${result}`.slice(0, maxResult);
  }),
  output: tool("OutputTool", validators.validateOutputTool, takeOutput),
  stop: tool("StopTool", validators.validateStopTool, end),
};

const agent = connect("server", nodeTransport(process.stdin, process.stdout), {
  handlers: {
    initialize: () => ({
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "agent-debugger", version: "0.1.0" },
      instructions: `You can launch these programs: ${names}`,
    }),
    ping: () => ({}),
    "tools/list": () => ({
      tools: Object.entries(tools).map(([name, each]) => ({ name, ...each!.input })),
    }),
    "tools/call": async ({ name, arguments: given = {} }) => {
      if (!Object.hasOwn(tools, name))
        throw new Refusal(`There is no tool "${name}"`, { error: { code: -32602 } });
      try {
        return { content: [{ type: "text", text: await tools[name]!.call(given) }] };
      } catch (error) {
        const { message, code } = error as Error & { readonly code?: string };
        const text = code === undefined ? message : `${message} (${code})`;
        return { content: [{ type: "text", text }], isError: true };
      }
    },
  },
});
await agent.closed;
await end();
