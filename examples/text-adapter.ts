import { readFileSync } from "node:fs";
import { defineAdapter, type AdapterConnection } from "../generated/dap/index.js";
import { runAdapter } from "../generated/dap/node.js";

/** "Runs" a text: prints it line by line. */
class Run {
  path = "";
  line = 1;
  text: string[] = [];
  breakpoints: number[] = [];
  readonly connection: AdapterConnection;
  constructor(connection: AdapterConnection) {
    this.connection = connection;
  }
  print(): void {
    const output = `${this.text[this.line++ - 1]}\n`;
    void this.connection.notify("output", { output });
  }
  stop(reason: "step" | "breakpoint"): void {
    if (this.line > this.text.length) void this.connection.notify("terminated");
    else void this.connection.notify("stopped", { reason, threadId: 1 });
  }
  toBreakpoint(): void {
    while (this.line <= this.text.length && !this.breakpoints.includes(this.line)) this.print();
    this.stop("breakpoint");
  }
}

const adapter = defineAdapter({
  session: (connection) => new Run(connection), // one for each client
  handlers: {
    launch({ program }: { program: string }, { session, configured }) {
      session.path = program;
      session.text = readFileSync(program, "utf8").trimEnd().split("\n");
      void configured.then(() => session.toBreakpoint()); // the client has set its breakpoints
    },
    setBreakpoints({ breakpoints = [] }, { session }) {
      session.breakpoints = breakpoints.map(({ line }) => line);
      return { breakpoints: session.breakpoints.map((line) => ({ verified: true, line })) };
    },
    stackTrace: (_, { session: { path, line } }) => ({
      stackFrames: [{ id: 1, name: "text", line, column: 1, source: { path } }],
    }),
    scopes: () => ({ scopes: [] }),
    next(_, { session }) {
      session.print();
      session.stop("step"); // is sent after the response
    },
    continue(_, { session }) {
      session.print();
      session.toBreakpoint();
      return { allThreadsContinued: true };
    },
  },
});
await runAdapter(adapter); // stdio, or TCP with --server=PORT
