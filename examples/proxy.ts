import { bridge, PathMapper } from "@wirewright/dap/connection";
import { nodeTransport, spawnTransport } from "@wirewright/dap/node";

const [here = "", there = "", command = "lldb-dap", ...args] = process.argv.slice(2);
const client = nodeTransport(process.stdin, process.stdout);
const adapter = await spawnTransport(command, args);
const paths = new PathMapper({ [here]: there }, { launchPaths: ["/program", "/cwd"] });
const session = bridge(client, adapter, {
  middleware: [
    {
      fromClient(message) {
        if (message.type === "request") console.error(message.command); // stdout carries the messages
      },
    },
    paths.bridgeMiddleware,
  ],
  onProblem: ({ code, message }) => console.error(code, message),
});
const { side, message } = await session.closed;
console.error(side, message);
