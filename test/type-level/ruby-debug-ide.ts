/**
 * Tests the guarantees that the types generated for a protocol without ids make. Compiling this
 * file is the test.
 */
import {
  isElement,
  isRequest,
  type AnswerOf,
  type BreakpointAddedElement,
  type BreakpointDeletedElement,
  type DebuggerToFrontend,
  type FrontendToDebugger,
  type StackFrame,
  type VariablesElement,
} from "@wirewright/ruby-debug-ide";
import {
  createClient,
  createServer,
  type Client,
  type StopMessage,
} from "@wirewright/ruby-debug-ide/connection";

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

assertType<Equal<AnswerOf<"break">, BreakpointAddedElement>>();
assertType<Equal<AnswerOf<"delete">, readonly BreakpointDeletedElement[]>>();
assertType<Equal<AnswerOf<"cont">, undefined>>();
assertType<Equal<AnswerOf<"var local">, VariablesElement>>();
assertType<Equal<StopMessage["element"], "breakpoint" | "suspended" | "exception">>();

export function receive(message: DebuggerToFrontend): readonly StackFrame[] {
  if (isElement(message, "frames")) return message.body.frames;
  if (message.element === "breakpointAdded") assertType<Equal<typeof message.body.no, number>>();
  return [];
}

export function serve(message: FrontendToDebugger): string | undefined {
  if (isRequest(message, "eval")) return message.arguments.expression;
  return message.command === "break" ? message.arguments?.location : undefined;
}

export async function ask(client: Client): Promise<number> {
  await client.send("cont");
  // @ts-expect-error TS2554: `eval` requires an expression.
  void client.send("eval");
  // @ts-expect-error TS2345: the protocol does not define this command. `sendLine` can send it.
  void client.send("help");
  // @ts-expect-error TS2353: `break` does not have this argument.
  void client.send("break", { place: "a.rb:1" });
  const { body } = await client.send("where");
  return body.frames.length;
}

export const server = createServer({
  write: () => undefined,
  handlers: {
    where: () => ({ element: "frames", body: { frames: [] } }),
    eval: ({ expression }) => ({ element: "eval", body: { expression, value: "" } }),
    // @ts-expect-error TS2353: there is no command of this name.
    help: () => undefined,
  },
});

export const client = createClient({
  write: () => undefined,
  onEvent(event) {
    if (event.element === "exception") assertType<Equal<typeof event.body.message, string>>();
  },
});
