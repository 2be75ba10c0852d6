/**
 * A debug adapter for programs that count: each line of the program adds its number to a total. Run
 * it with `node build/examples/adapter.js`; it uses stdin and stdout.
 */
import { defineAdapter, Refusal, type Connection } from "../generated/dap/connection.js";
import { nodeTransport } from "../generated/dap/node.js";

const lines = [10, 20, 30, 40];
let breakpoints: readonly number[] = [];
let line = 0;
let total = 0;

const connectAdapter = defineAdapter({
  // Every capability that is announced here needs its handlers below: without them, this does not
  // compile.
  capabilities: {
    supportsConfigurationDoneRequest: true,
    supportsEvaluateForHovers: true,
    supportsCancelRequest: true,
  },
  handlers: {
    launch() {
      void adapter.notify("initialized");
    },
    setBreakpoints({ breakpoints: wanted = [] }) {
      breakpoints = wanted.map((each) => each.line);
      return {
        breakpoints: breakpoints.map((at, index) => ({
          id: index + 1,
          verified: at <= lines.length,
          line: at,
          ...(at <= lines.length ? {} : { message: "The program has no such line" }),
        })),
      };
    },
    configurationDone: run,
    threads: () => ({ threads: [{ id: 1, name: "main" }] }),
    stackTrace: () => ({
      stackFrames: [{ id: 1, name: "zählen", line: line + 1, column: 1 }],
      totalFrames: 1,
    }),
    scopes: () => ({ scopes: [{ name: "Locals", variablesReference: 1, expensive: false }] }),
    variables: () => ({
      variables: [{ name: "total", value: String(total), variablesReference: 0 }],
    }),
    async evaluate({ expression }, { signal }) {
      if (expression === "sleep") {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return undefined as never; // cancelled: the result is no longer needed
      }
      if (expression !== "total")
        throw new Refusal(`There is no ${expression}`, {
          body: {
            error: { id: 7, format: "There is no {name}", variables: { name: expression } },
          },
        });
      return { result: String(total), variablesReference: 0 };
    },
    cancel: () => undefined,
    next() {
      add();
      stop("step");
    },
    continue() {
      add();
      setTimeout(run);
      return { allThreadsContinued: true };
    },
    disconnect() {
      void adapter.close(); // after the response was sent
    },
  },
});

const adapter: Connection<"adapter"> = connectAdapter(
  nodeTransport(process.stdin, process.stdout),
  { onProblem: ({ code, text }) => console.error(`${code}: ${text}`) },
);

function add(): void {
  total += lines[line++] ?? 0;
}

function run(): void {
  while (line < lines.length && !breakpoints.includes(line + 1)) add();
  if (line < lines.length) {
    stop("breakpoint");
    return;
  }
  void adapter.notify("output", { category: "stdout", output: `Σ = ${total} 😀\n` });
  void adapter.notify("terminated");
}

function stop(reason: "breakpoint" | "step"): void {
  void adapter.notify("stopped", { reason, threadId: 1, allThreadsStopped: true });
}
