import { defineAdapter } from "@wirewright/dap/adapter";
import { runAdapter } from "@wirewright/dap/node";

interface MyLaunch {
  readonly program: string;
  readonly stopOnEntry?: boolean;
}

const adapter = defineAdapter({
  capabilities: { supportsEvaluateForHovers: true },
  session: (connection) => ({ connection, line: 1 }),
  handlers: {
    launch({ program }: MyLaunch, { session, configured }) {
      console.error(`loading ${program}`);
      void configured.then(() => {
        session.connection.notify("stopped", { reason: "entry", threadId: 1 });
      });
    },
    stackTrace: (_, { session }) => ({
      stackFrames: [{ id: 1, name: "main", line: session.line, column: 1 }],
    }),
    scopes: () => ({ scopes: [] }),
    evaluate: ({ expression }) => ({ result: `${expression}?`, variablesReference: 0 }),
    next(_, { session }) {
      session.line++;
      session.connection.notify("stopped", { reason: "step", threadId: 1 });
    },
  },
});
await runAdapter(adapter);
