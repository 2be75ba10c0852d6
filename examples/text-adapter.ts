import { readFileSync } from "node:fs";
import { defineAdapter, type AdapterConnection } from "@wirewright/dap/adapter";
import { runAdapter } from "@wirewright/dap/node";

const newRun = () => ({ path: "", text: [""], breakpoints: [0], line: 1 });
/** "Runs" a text: prints lines up to a breakpoint, but at least the next `count` of them. */
function run(client: AdapterConnection, state: ReturnType<typeof newRun>, count: number): void {
  const { text, breakpoints } = state;
  for (; state.line <= text.length; state.line++) {
    // `stopped` is written after the response.
    if (count-- <= 0 && breakpoints.includes(state.line))
      return client.notify("stopped", { reason: "breakpoint", threadId: 1 });
    client.notify("output", { output: `${text[state.line - 1]}\n` });
  }
  client.notify("terminated");
}

const adapter = defineAdapter({
  session: newRun, // called once per client
  handlers: {
    async launch({ program }: { program: string }, { connection, session, configured }) {
      session.path = program;
      session.text = readFileSync(program, "utf8").trimEnd().split("\n");
      await configured; // by now the client has set its breakpoints
      run(connection, session, 0);
    },
    setBreakpoints({ breakpoints = [] }, { session }) {
      session.breakpoints = breakpoints.map(({ line }) => line);
      return { breakpoints: session.breakpoints.map((line) => ({ verified: true, line })) };
    },
    stackTrace: (_, { session: { path, line } }) => ({
      stackFrames: [{ id: 1, name: "text", line, column: 1, source: { name: "text", path } }],
    }),
    scopes: () => ({ scopes: [] }),
    continue(_, { connection, session }) {
      run(connection, session, 1);
      return { allThreadsContinued: true };
    },
  },
});
await runAdapter(adapter); // stdio, or TCP with --server PORT
