/**
 * Connects one client to several adapters. The client sees a single program that has the threads of
 * all of them. Put `--` before each adapter's command, and pass `launch` the arguments for each:
 *
 * node build/examples/multiplexer.js -- lldb-dap -- python3 -m debugpy.adapter
 * { "launches": [{ "program": "server" }, { "program": "client.py" }] }
 */
import { connect, type Connection } from "@wirewright/dap/connection";
import { requests, visitFields, type FieldVisitors } from "@wirewright/dap";
import { nodeTransport, spawnAdapter } from "@wirewright/dap/node";

/**
 * The kinds of references that must be made unique, so that the client does not confuse two
 * adapters' references.
 */
const kinds = [
  ...(["thread", "frame", "variables", "sourceReference", "breakpoint", "location"] as const),
  ...(["target", "module", "data", "memory", "progress"] as const),
];
type Reference = number | string;
type Fields = { readonly [name: string]: unknown };

const commands: string[][] = [];
for (const word of process.argv.slice(2))
  if (word === "--") commands.push([]);
  else commands.at(-1)?.push(word);
if (commands.length === 0 || commands.some(({ length }) => length === 0)) {
  console.error("usage: multiplexer -- ADAPTER [ARGUMENT...] -- ADAPTER [ARGUMENT...] ...");
  process.exit(2);
}

const onProblem = ({ message }: { readonly message: string }): void => console.error(message);
const client = connect("adapter", nodeTransport(process.stdin, process.stdout), { onProblem });
const adapters: Connection<"client">[] = [];
for (const [command = "", ...args] of commands)
  adapters.push((await spawnAdapter(command, args, { onProblem })).connection);
const count = adapters.length;

function visitors(change: (reference: Reference) => Reference): FieldVisitors {
  return Object.fromEntries(kinds.map((kind) => [kind, change])) as FieldVisitors;
}

/** Converts a message for the client, so that its ids and texts identify the adapter. */
function fromAdapter<Message extends object>(message: Message, index: number): Message {
  const change = (reference: Reference): Reference =>
    typeof reference === "number" ? reference * count + index : `${index}:${reference}`;
  return visitFields(message, visitors(change));
}

/**
 * Converts a message for the adapter that it is meant for. Returns that adapter's index, or
 * undefined if the message is for all adapters.
 */
function fromClient<Message extends object>(message: Message): [Message, number | undefined] {
  let owner: number | undefined;
  const change = (reference: Reference): Reference => {
    const text = String(reference);
    owner = typeof reference === "number" ? reference % count : Number(text.split(":", 1));
    return typeof reference === "number"
      ? Math.floor(reference / count)
      : text.slice(text.indexOf(":") + 1);
  };
  return [visitFields(message, visitors(change)), owner];
}

/** Merges the responses from all adapters into one. */
function merged(name: string, bodies: readonly (Fields | undefined)[]): unknown {
  const list = (body: Fields | undefined, field: string): readonly Fields[] =>
    (body?.[field] ?? []) as Fields[];
  const [first = {}] = bodies;
  if (name === "initialize")
    // Announce only what every adapter supports, because an adapter must not receive requests that
    // it does not support.
    return Object.fromEntries(
      Object.keys(first)
        .filter((flag) => bodies.every((body) => body?.[flag] === true))
        .map((flag) => [flag, true]),
    );
  if (name === "threads") return { threads: bodies.flatMap((body) => list(body, "threads")) };
  if (!name.endsWith("Breakpoints")) return bodies[0];
  const breakpoints = list(first, "breakpoints").map((breakpoint, index) => {
    const same = bodies.map((body) => list(body, "breakpoints")[index]);
    return same.find((each) => each?.["verified"] === true) ?? breakpoint;
  });
  return { breakpoints };
}

for (const name of Object.keys(requests)) {
  // The connection itself answers `cancel` and aborts the signal.
  if (name === "cancel") continue;
  client.handleCustom(name, async (_, { request, signal, after }) => {
    const [message, owner] = fromClient(request);
    const given = (message as { readonly arguments?: Fields }).arguments;
    const { launches } = (given ?? {}) as { readonly launches?: readonly object[] };
    const ask = async (index: number): Promise<Fields | undefined> => {
      const own = launches?.[index] ?? given;
      const body = await adapters[index]!.requestCustom<Fields | undefined>(name, own, { signal });
      const answer = { type: "response", command: name, success: true, body };
      return fromAdapter(answer, index).body;
    };
    if (name === "disconnect") after(() => void client.close());
    return owner === undefined
      ? merged(name, await Promise.all(adapters.map((_, i) => ask(i))))
      : ask(owner);
  });
}

/**
 * Adapters that have sent `initialized` or `terminated`. These events concern the whole session, so
 * the client only receives them once all adapters have sent them.
 */
const seen = { initialized: new Set<number>(), terminated: new Set<number>() };
for (const [index, adapter] of adapters.entries()) {
  const note = (name: keyof typeof seen, body?: unknown): void => {
    if (seen[name].size < count && seen[name].add(index).size === count)
      client.notifyCustom(name, body);
  };
  adapter.on("*", (_, message) => {
    const { event, body } = fromAdapter(message, index) as { event: string; body?: unknown };
    if (event === "initialized" || event === "terminated") note(event, body);
    else client.notifyCustom(event, body);
  });
  for (const name of ["runInTerminal", "startDebugging"] as const)
    adapter.handleCustom(name, (parameters) => client.requestCustom(name, parameters));
  void adapter.closed.then(() => note("terminated"));
}
void client.closed.then(() => Promise.all(adapters.map((each) => each.close())));
