import type { ProgramEnd, ProgramStop, SessionOptions } from "@wirewright/dap/session";
import { answer, event, ScriptedAdapter } from "./scripted-adapter.js";
import type { Fields } from "./scripted-connection.js";

export const options: SessionOptions = {
  breakpoints: { "/a.c": [3, { line: 9, condition: "x > 1" }] },
  connection: { timeoutMs: 10_000 },
};

export const quick = { disconnectMs: 20, closeMs: 20, terminateMs: 20 };
export const stopped = (reason: string, threadId = 1): object =>
  event("stopped", { reason, threadId });

/** How the scripted adapter behaves in most tests. */
export interface Behaviour {
  readonly capabilities?: object;
  readonly answers?: { readonly [command: string]: (request: Fields) => readonly object[] };
}

export function play(
  { capabilities = {}, answers = {} }: Behaviour = {},
  chunks?: (bytes: Uint8Array) => readonly Uint8Array[],
): ScriptedAdapter {
  const flags = { supportsConfigurationDoneRequest: true, ...capabilities };
  return new ScriptedAdapter((request) => {
    const own = answers[String(request["command"])];
    if (own !== undefined) return own(request);
    if (request["command"] === "initialize") return [answer(request, flags), event("initialized")];
    if (request["command"] === "setBreakpoints") return [answer(request, set(request))];
    if (request["command"] === "threads")
      return [answer(request, { threads: [{ id: 1, name: "main" }] })];
    return [answer(request)];
  }, chunks);
}

/** Plays an adapter with some answers of its own. */
export const answering = (answers: NonNullable<Behaviour["answers"]> = {}): ScriptedAdapter =>
  play({ answers });

/** Plays an adapter for each session that is opened. */
export function reopening(answers?: Behaviour["answers"]): {
  readonly opened: ScriptedAdapter[];
  readonly open: () => ScriptedAdapter;
} {
  const opened: ScriptedAdapter[] = [];
  const open = (): ScriptedAdapter => {
    opened.push(answering(answers));
    return opened.at(-1)!;
  };
  return { opened, open };
}

/** Creates a response body that sets all breakpoints on the requested lines. */
export function set(request: Fields): object {
  const lines = request["arguments"].breakpoints as { readonly line: number }[];
  return { breakpoints: lines.map(({ line }) => ({ id: line, verified: true, line })) };
}

export function shown(state: ProgramStop | ProgramEnd): readonly unknown[] {
  return state.kind === "stopped"
    ? [state.kind, state.reason, state.threadId]
    : [state.kind, state.reason, state.exitCode];
}
