/** Programs that play the peer in a connection. The first argument selects the program. */
import { spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { createServer } from "node:net";
import { connect } from "@wirewright/dap/connection";
import { nodeTransport, spawnAdapter } from "@wirewright/dap/node";

const [kind, ...args] = process.argv.slice(2);
const stayAlive = (): void => void setInterval(() => undefined, 1_000);
const self = process.argv[1]!;

switch (kind) {
  // Answers `threads`, and exits at the end of its input.
  case "adapter":
    connect("adapter", nodeTransport(process.stdin, process.stdout), {
      handlers: { threads: () => ({ threads: [] }) },
    });
    break;
  // Reports the end of its input and SIGTERM. Keeps running after the end of its input, and after
  // SIGTERM if "SIGTERM" is an argument.
  case "stubborn":
    stayAlive();
    process.stdin.on("end", () => console.error("end of input")).resume();
    process.on("SIGTERM", () => {
      console.error("SIGTERM");
      if (!args.includes("SIGTERM")) process.exit(0);
    });
    connect("adapter", nodeTransport(process.stdin, process.stdout), {
      handlers: { threads: () => ({ threads: [] }) },
    });
    break;
  // After the first request, prints to stderr and exits with an exit code or a signal.
  case "dying": {
    const [how = "0", text = ""] = args;
    process.stdin.once("data", () => {
      process.stderr.write(text, () => {
        if (/^\d+$/.test(how)) process.exit(Number(how));
        else process.kill(process.pid, how);
      });
    });
    break;
  }
  // Closes its input, prints a line, and keeps running.
  case "deaf":
    stayAlive();
    closeSync(0);
    console.error("deaf");
    break;
  // After the first request, hands its output streams to a child process and exits.
  case "leaving":
    process.stdin.once("data", () => {
      spawn(process.execPath, ["-e", "setTimeout(() => {}, 6_000)"], {
        stdio: ["ignore", "inherit", "inherit"],
        detached: true,
      }).unref();
      process.stderr.write("gone\n", () => process.exit(4));
    });
    break;
  // After the first request, ends its output and keeps running.
  case "mute":
    stayAlive();
    process.stdin.once("data", () => process.stdout.end());
    break;
  // Sends events until the connection ends.
  case "talkative": {
    const adapter = connect("adapter", nodeTransport(process.stdin, process.stdout));
    console.error("ready");
    while (!adapter.isClosed) {
      adapter.notify("output", { output: "again" });
      await adapter.flushed().catch(() => 0);
    }
    break;
  }
  // Listens, prints its port, and answers `threads`.
  case "server": {
    const server = createServer((socket) => {
      connect("adapter", nodeTransport(socket, socket), {
        handlers: { threads: () => ({ threads: [] }) },
      });
    });
    server.listen(0, "127.0.0.1", () => console.log((server.address() as { port: number }).port));
    break;
  }
  // Starts another program in this file as an adapter. Once the adapter is running, exits in the
  // given way, or keeps running.
  case "client": {
    const [ending, ...adapter] = args;
    const { connection } = await spawnAdapter(process.execPath, [self, ...adapter], {
      // The adapter inherits stderr, so the end of that stream shows that both processes have
      // ended.
      process: { stdio: ["pipe", "pipe", "inherit"] },
    });
    if (adapter[0] === "stubborn") await connection.request("threads");
    else await connection.once("output");
    console.error("started");
    if (ending === "exit") process.exit(0);
    if (ending === "throw") throw new Error("thrown");
    connection.on("output", () => undefined);
    break;
  }
  // Starts another program in this file, sends it a request, and prints the result.
  case "asking": {
    const { connection, exited } = await spawnAdapter(process.execPath, [self, ...args]);
    console.log(await connection.request("threads").catch(({ message }: Error) => message));
    console.log(await exited);
    break;
  }
}
