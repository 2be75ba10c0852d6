import type { LiveUpdate, PageData } from "../page-data.js";
import type { MessageSource } from "./page-messages.js";
import { PageState } from "./page-state.js";
import { liveLimits, SessionStore } from "./session-store.js";

/** Minimum number of rows in a block. Smaller updates are merged into a single block. */
const blockRows = 2_048;

/** The messages of a live session, kept in memory. */
class LiveMessages implements MessageSource {
  readonly #blocks: string[][] = [];
  length = 0;

  async read(block: number): Promise<readonly string[]> {
    return this.#blocks[block] ?? [];
  }

  add(messages: readonly string[], isNewBlock: boolean): void {
    if (isNewBlock) this.#blocks.push([...messages]);
    else this.#blocks.at(-1)!.push(...messages);
    for (const { length } of messages) this.length += length;
  }

  dropFirst(): void {
    for (const { length } of this.#blocks.shift() ?? []) this.length -= length;
  }
}

/** Follows the session reported by the page's server. */
export function openLive(): Promise<PageState> {
  return new Promise((resolve) => {
    const events = new EventSource("events");
    let state: PageState | undefined;
    let isWaiting = false;
    /** Redraws the page once for all updates that arrive within a frame. */
    const changed = (): void => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        state?.changed();
      });
    };
    events.addEventListener("begin", ({ data }: MessageEvent<string>) => {
      // The server has dropped updates that this page never received, so start over.
      if (state !== undefined) return location.reload();
      state = new PageState(new SessionStore(JSON.parse(data) as PageData), new LiveMessages());
      resolve(state);
    });
    events.addEventListener("message", ({ data }: MessageEvent<string>) => {
      if (state === undefined) return;
      add(JSON.parse(data) as LiveUpdate, state.store, state.source as LiveMessages);
      changed();
    });
    events.addEventListener("over", () => {
      events.close();
      if (state !== undefined) state.isOver.value = true;
    });
  });
}

function add(update: LiveUpdate, store: SessionStore, source: LiveMessages): void {
  const { rows, messages } = update;
  const last = store.blocks.at(-1);
  const isJoined =
    last !== undefined &&
    last.length + rows.length <= blockRows &&
    last.at(-1)!.number + 1 === rows[0]?.number;
  if (rows.length > 0) source.add(messages, !isJoined);
  store.add(update, isJoined);
  while (
    store.blocks.length > 1 &&
    (store.count > liveLimits.rows || source.length > liveLimits.length)
  ) {
    store.dropFirst();
    source.dropFirst();
  }
}
