import { spawnSync } from "node:child_process";
import {
  MessageChannel,
  receiveMessageOnPort,
  Worker,
  type MessagePort,
} from "node:worker_threads";
import { fromRoot } from "./paths.js";

/** The command line tool. */
export const cli = fromRoot("build/cli/main.js");

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandCall {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly input: string | Uint8Array | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Runs the command line tool in a folder until it exits. Commands that exit on their own share a
 * process.
 */
export function runCommand(
  cwd: string,
  args: readonly string[],
  input?: string | Uint8Array,
  env: NodeJS.ProcessEnv = {},
): Outcome {
  const call = { cwd, args, input, env };
  // A tap needs its own streams and signals, so it runs in a separate process.
  return args[0] === "tap" ? runProcess(call) : (askHost(call) ?? runProcess(call));
}

function runProcess({ cwd, args, input, env }: CommandCall): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd,
    encoding: "utf8",
    input,
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, stdout, stderr };
}

interface Host {
  readonly port: MessagePort;
  readonly answered: Int32Array;
}

let host: Host | undefined;

/**
 * Returns the result of a command run in the shared process, or undefined if the command ended that
 * process.
 */
function askHost(call: CommandCall): Outcome | undefined {
  host ??= startHost();
  const { port, answered } = host;
  Atomics.store(answered, 0, 0);
  port.postMessage(call);
  if (Atomics.wait(answered, 0, 0, 300_000) === "timed-out")
    throw new Error(`wirewright ${call.args.join(" ")} does not end`);
  return (receiveMessageOnPort(port) as { message: Outcome | undefined }).message;
}

function startHost(): Host {
  const { port1, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(4));
  new Worker(new URL("./command-worker.js", import.meta.url), {
    workerData: { port: port2, answered },
    transferList: [port2],
    execArgv: [],
  }).unref();
  port1.unref();
  return { port: port1, answered };
}

/** Runs the tool like `runCommand`. Replaces large file counts, which change with each new module. */
export function wirewright(
  cwd: string,
  args: readonly string[],
  input?: string,
  env: NodeJS.ProcessEnv = {},
): Outcome {
  const outcome = runCommand(cwd, args, input, env);
  return {
    ...outcome,
    stdout: outcome.stdout.replaceAll(/\b\d\d+ files written/g, "all files written"),
  };
}
