/** The server process of `connection.ts`. */
import { ProtocolServer } from "@vscode/debugadapter/lib/protocol.js";
import type { DebugProtocol } from "@vscode/debugprotocol";
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { connect } from "@wirewright/dap/connection";
import { nodeTransport } from "@wirewright/dap/node";

function stack(levels = 0): { readonly stackFrames: DebugProtocol.StackFrame[] } {
  return {
    stackFrames: Array.from({ length: levels }, (_, id) => ({
      id,
      name: `function number ${id}`,
      line: id * 7,
      column: 3,
      source: { name: "module.ts", path: `/home/user/project/src/module${id}.ts` },
    })),
  };
}

const library = process.argv[2];
switch (library) {
  case "wire":
  case "off":
    connect("adapter", nodeTransport(process.stdin, process.stdout), {
      checkIncoming: library,
      handlers: { stackTrace: ({ levels }) => stack(levels) },
    });
    break;
  case "vscode-jsonrpc": {
    const connection = createMessageConnection(
      new StreamMessageReader(process.stdin),
      new StreamMessageWriter(process.stdout),
    );
    connection.onRequest("stackTrace", ({ levels }: { levels: number }) => stack(levels));
    connection.listen();
    break;
  }
  default: {
    class Server extends ProtocolServer {
      protected override dispatchRequest(request: DebugProtocol.Request): void {
        const { levels } = request.arguments as { levels: number };
        const response: DebugProtocol.Response = {
          seq: 0,
          type: "response",
          request_seq: request.seq,
          command: request.command,
          success: true,
          body: stack(levels),
        };
        this.sendResponse(response);
      }
    }
    new Server().start(process.stdin, process.stdout);
  }
}
