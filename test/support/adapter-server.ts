import { spawn } from "node:child_process";
import { once } from "node:events";

/** An adapter process that waits for clients. */
export interface StartedServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts an adapter built with `runAdapter` and makes it listen on a free port. */
export async function startServer(program: string): Promise<StartedServer> {
  const child = spawn(process.execPath, [program, "--server=0"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  for await (const chunk of child.stderr) {
    text += String(chunk);
    if (/port \d+\n/.test(text)) break;
  }
  const port = Number(/port (\d+)/.exec(text)?.[1]);
  return {
    port,
    async stop() {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}
