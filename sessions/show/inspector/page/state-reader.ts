import { ShownState } from "../../exchanges/shown-state.js";
import { readBlocks, type MessageSource } from "./page-messages.js";
import type { SessionStore } from "./session-store.js";

/**
 * Computes the state of a session after one of its messages by reading the earlier ones. Resolves to
 * undefined if `signal` is aborted or the page does not contain the message.
 */
export async function stateAt(
  store: SessionStore,
  source: MessageSource,
  number: number,
  signal: AbortSignal,
): Promise<ShownState | undefined> {
  const session = store.row(number)?.session;
  if (session === undefined) return undefined;
  const { groups, capabilities, payloads } = store.head.state;
  const state = new ShownState(groups, capabilities);
  for await (const { rows, lines } of readBlocks(store, source, signal))
    for (const [position, row] of rows.entries()) {
      const { kind, answers = -1, move } = row;
      if (row.number > number) return state;
      if (row.session !== session) continue;
      if (kind !== "request" && kind !== "response" && kind !== "event") continue;
      const value = JSON.parse(lines[position] ?? "{}") as Record<string, unknown>;
      state.follow({ ...row, row: row.number, kind, answers }, value[payloads[kind]]);
      if (move?.isStop === true) state.stop(move.thread, row.number);
      else if (move !== undefined) state.resume(move.thread, move.since);
    }
  return signal.aborted ? undefined : state;
}
