import { spawn } from "node:child_process";
import { once } from "node:events";

/** An adapter process that waits for clients. */
export interface StartedServer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Starts an adapter built with `runAdapter` and makes it listen.
 *
 * @param args By default, it listens on a free port.
 */
export async function startServer(
  program: string,
  args: readonly string[] = ["--server=0"],
): Promise<StartedServer> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [output] = (await once(child.stderr, "data")) as [Buffer];
  const port = Number(/^waiting for debug protocol on port (\d+)\n$/.exec(output.toString())![1]);
  return {
    port,
    async stop() {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}
