import { readFileSync } from "node:fs";
import { defineAdapter, type AdapterConnection } from "@wirewright/dap/adapter";
import { runAdapter } from "@wirewright/dap/node";

interface TextLaunch {
  program: string;
}

class TextSession {
  path = "";
  text: string[] = [];
  breakpoints: number[] = [];
  line = 1;
  readonly client: AdapterConnection;

  constructor(client: AdapterConnection) {
    this.client = client;
  }

  run(count: number): void {
    for (; this.line <= this.text.length; this.line++) {
      if (count-- <= 0 && this.breakpoints.includes(this.line)) {
        this.client.notify("stopped", { reason: "breakpoint", threadId: 1 });
        return;
      }
      const output = `${this.text[this.line - 1]}\n`;
      this.client.notify("output", { category: "stdout", output });
    }
    this.client.notify("terminated");
  }
}

const adapter = defineAdapter({
  session: (client) => new TextSession(client),
  handlers: {
    launch({ program }: TextLaunch, { session, configured }) {
      session.path = program;
      session.text = readFileSync(program, "utf8").trimEnd().split("\n");
      void configured.then(() => session.run(0));
    },
    setBreakpoints({ breakpoints = [] }, { session }) {
      session.breakpoints = breakpoints.map(({ line }) => line);
      return { breakpoints: session.breakpoints.map((line) => ({ verified: true, line })) };
    },
    stackTrace: (_, { session: { path, line } }) => ({
      stackFrames: [{ id: 1, name: "text", source: { name: "text", path }, line, column: 1 }],
    }),
    scopes: () => ({ scopes: [] }),
    continue(_, { session }) {
      session.run(1);
      return {};
    },
  },
});
await runAdapter(adapter);
