import { PlayedAdapter, type AnyMessage } from "./played-adapter.js";
import { option, type Transport } from "@wirewright/runtime";

/** A scripted adapter's response to a request. */
export type ScriptedAnswer =
  /** The body of a successful response. */
  | object
  /**
   * Returns the body of the response, or undefined if the function sends all messages itself, now
   * or later. May return a promise.
   */
  | ((request: AnyMessage, adapter: ScriptedAdapter) => unknown);

/** Responses, keyed by the request's command. */
export interface AdapterScript {
  readonly [command: string]: ScriptedAnswer;
}

/** An adapter that follows a script, which may include mistakes. Use it as a client's transport. */
export interface ScriptedAdapter extends Transport {
  /** The messages received from the client so far. */
  readonly received: readonly AnyMessage[];
  /** Sends a successful response to a request. */
  answer(request: AnyMessage, body?: object): void;
  /** Sends a failure response to a request. */
  refuse(request: AnyMessage, message: string, body?: object): void;
  event(name: string, body?: object): void;
  /** Sends any message, unchecked. A message without a `seq` is numbered. Returns its number. */
  send(message: object): number;
  /** Ends the connection as if the adapter had exited or, if an error is given, had crashed. */
  end(error?: Error): void;
}

/**
 * Plays an adapter. Requests that are not in the script succeed:
 *
 * - `initialize` is followed by `initialized`.
 * - Breakpoints are verified at their lines.
 * - There is one thread.
 * - `disconnect` ends the connection.
 *
 * @throws TypeError for an answer that is neither an object nor a function.
 */
export function scriptAdapter(script: AdapterScript = {}): ScriptedAdapter {
  const answers = option.recordOf(option.either(option.object, option.callback));
  option.checkOptions("scriptAdapter", { script }, { script: answers });
  const received: AnyMessage[] = [];
  const played = new PlayedAdapter(async (message) => {
    received.push(message);
    if (message["type"] !== "request") return;
    const command = String(message["command"]);
    const answer = Object.hasOwn(script, command) ? script[command] : undefined;
    if (answer === undefined) answerByDefault(command, message, adapter);
    else if (typeof answer !== "function") adapter.answer(message, answer);
    else {
      const result: unknown = await (answer as (...all: unknown[]) => unknown)(message, adapter);
      if (typeof result === "object" && result !== null) adapter.answer(message, result);
    }
  });
  const respond = (request: AnyMessage, success: boolean, rest: object): void => {
    const { seq, command } = request;
    played.send({ type: "response", request_seq: seq, success, command, ...rest });
  };
  const adapter: ScriptedAdapter = {
    received,
    answer: (request, body) => respond(request, true, body === undefined ? {} : { body }),
    refuse: (request, message, body) =>
      respond(request, false, { message, ...(body === undefined ? {} : { body }) }),
    event(name, body) {
      played.send({ type: "event", event: name, ...(body === undefined ? {} : { body }) });
    },
    send: (message) => played.send(message),
    end: (error) => played.end(error),
    read: (onBytes, onEnd) => played.read(onBytes, onEnd),
    write: (bytes) => played.write(bytes),
    close: () => played.close(),
    destroy: () => played.destroy(),
  };
  return adapter;
}

function answerByDefault(command: string, request: AnyMessage, adapter: ScriptedAdapter): void {
  switch (command) {
    case "initialize":
      adapter.answer(request, { supportsConfigurationDoneRequest: true });
      adapter.event("initialized");
      return;
    case "setBreakpoints": {
      const { breakpoints = [] } = (request["arguments"] ?? {}) as {
        readonly breakpoints?: readonly { readonly line: number }[];
      };
      const set = breakpoints.map(({ line }, index) => ({ id: index + 1, verified: true, line }));
      adapter.answer(request, { breakpoints: set });
      return;
    }
    case "threads":
      adapter.answer(request, { threads: [{ id: 1, name: "main" }] });
      return;
    case "disconnect":
      adapter.answer(request);
      adapter.end();
      return;
    default:
      adapter.answer(request);
  }
}
