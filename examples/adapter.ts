/**
 * An example debug adapter. The programs that it debugs are simple counters: each line adds its
 * number to a total. Run the adapter with `node build/examples/adapter.js`. It uses stdin and
 * stdout, or TCP with `--server PORT`.
 */
import { defineAdapter, Handles, type AdapterConnection } from "@wirewright/dap/adapter";
import { Refusal } from "@wirewright/dap/connection";
import { runAdapter } from "@wirewright/dap/node";

/** The attributes of a launch configuration. */
interface LaunchArguments {
  readonly stopOnEntry?: boolean;
}

/** One run of the program. */
class Session {
  readonly lines = [10, 20, 30, 40];
  /** References to the variables at a stop. */
  readonly variables: Handles<{ name: string; value: string }[]>;
  breakpoints: readonly number[] = [];
  line = 0;
  total = 0;
  readonly #connection: AdapterConnection;

  constructor(connection: AdapterConnection) {
    this.#connection = connection;
    this.variables = new Handles(connection);
  }

  step(): void {
    this.total += this.lines[this.line++] ?? 0;
    this.#report("step");
  }

  /** Runs until the next breakpoint. */
  run(): void {
    const { lines, breakpoints } = this;
    do this.total += lines[this.line++] ?? 0;
    while (this.line < lines.length && !breakpoints.includes(this.line + 1));
    this.#report("breakpoint");
  }

  start(stopOnEntry: boolean): void {
    if (stopOnEntry || this.breakpoints.includes(1)) this.#report("entry");
    else this.run();
  }

  /** Reports the program's position to the client. */
  #report(reason: "breakpoint" | "step" | "entry"): void {
    if (this.line < this.lines.length) {
      void this.#connection.notify("stopped", { reason, threadId: 1, allThreadsStopped: true });
      return;
    }
    void this.#connection.notify("output", {
      category: "stdout",
      output: `Σ = ${this.total} 😀\n`,
    });
    void this.#connection.notify("exited", { exitCode: 0 });
    void this.#connection.notify("terminated");
  }
}

const adapter = defineAdapter({
  // Handlers announce the capabilities that their requests require. List only additional
  // capabilities here.
  capabilities: { supportsEvaluateForHovers: true },
  session: (connection) => new Session(connection),
  handlers: {
    async launch({ stopOnEntry = false }: LaunchArguments, { session, configured }) {
      // Wait until the client has set its breakpoints.
      await configured;
      session.start(stopOnEntry);
    },
    setBreakpoints({ breakpoints = [] }, { session }) {
      session.breakpoints = breakpoints.map(({ line }) => line);
      return {
        breakpoints: session.breakpoints.map((line, index) => ({
          id: index + 1,
          verified: line <= session.lines.length,
          line,
          ...(line <= session.lines.length ? {} : { message: "The program has no such line" }),
        })),
      };
    },
    stackTrace: (_, { session }) => ({
      stackFrames: [
        { id: 1, name: "zählen", line: session.line + 1, column: 1, source: { name: "numbers" } },
      ],
      totalFrames: 1,
    }),
    scopes: (_, { session: { variables, total } }) => {
      const variablesReference = variables.add([{ name: "total", value: String(total) }]);
      return { scopes: [{ name: "Locals", variablesReference, expensive: false }] };
    },
    variables: ({ variablesReference }, { session }) => ({
      variables: (session.variables.get(variablesReference) ?? []).map((each) => ({
        ...each,
        variablesReference: 0,
      })),
    }),
    async evaluate({ expression }, { session, signal }) {
      if (expression === "sleep") {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return undefined as never; // The request was cancelled, so the client expects no result.
      }
      if (expression !== "total")
        throw new Refusal("There is no {name}", {
          error: { id: 7, variables: { name: expression } },
        });
      return { result: String(session.total), variablesReference: 0 };
    },
    // The client receives the stop after the response, even though the program stops earlier.
    next: (_, { session }) => session.step(),
    continue(_, { session }) {
      session.run();
      return { allThreadsContinued: true };
    },
  },
});

await runAdapter(adapter);
