/**
 * Runs the command line tool repeatedly in one process on behalf of `run-command.ts`, because
 * starting a process is slow.
 */
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { fromRoot } from "./paths.js";
import type { CommandCall } from "./run-command.js";

const cli = pathToFileURL(fromRoot("build/cli/main.js")).href;
const { argv, env, send } = process;
const say = send!.bind(process);
let calls = 0;

process.on("disconnect", () => process.exit());
process.on("message", (call: CommandCall) => void run(call).then((outcome) => say(outcome)));

async function run({ cwd, args, input, env: more }: CommandCall): Promise<unknown> {
  const output = { stdout: "", stderr: "" };
  process.chdir(cwd);
  process.argv = [...argv.slice(0, 2), ...args];
  process.env = { ...env, ...more };
  process.exitCode = undefined;
  replace("stdin", Readable.from(input === undefined ? [] : [Buffer.from(input)]));
  for (const name of ["stdout", "stderr"] as const)
    replace(
      name,
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          output[name] += chunk.toString();
          done();
        },
      }),
    );
  const before = listeners();
  // Load the command's module again, because loading it is what runs it.
  await import(`${cli}?${++calls}`);
  for (const [name, each] of listeners())
    for (const listener of each)
      if (before.get(name)?.includes(listener) !== true) process.off(name, listener);
  return { status: process.exitCode ?? 0, ...output };
}

/** Returns the process's event listeners by event name. */
function listeners(): ReadonlyMap<"exit", readonly NodeJS.ExitListener[]> {
  const names = process.eventNames() as "exit"[];
  return new Map(names.map((name) => [name, process.listeners(name)]));
}

function replace(name: "stdin" | "stdout" | "stderr", value: Readable | Writable): void {
  Object.defineProperty(process, name, { value, configurable: true });
}
