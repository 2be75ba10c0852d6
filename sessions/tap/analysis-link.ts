import type { PageAddresses } from "../show/inspector/page-server.js";
import { Worker } from "node:worker_threads";
import { InputError } from "../../generator/base/input-error.js";
import type { AnalysisNote, AnalysisOrder, AnalysisSettings } from "./analysis-options.js";
import { within } from "./within.js";

/** Milliseconds to wait, at the end of a session, for an analysis that makes no progress. */
const patienceMs = 8_000;

/** Milliseconds without progress after which the tap reports that the analysis is hanging. */
const hangsAfterMs = 10_000;

type Settings = Omit<AnalysisSettings, "state">;
type Ready = Extract<AnalysisNote, { readonly kind: "ready" }>;

/**
 * The forwarding thread's link to the analysis thread. The session continues no matter what happens
 * to the analysis, even if a decoder never returns.
 */
export class AnalysisLink {
  readonly version: string;
  readonly roles: readonly [string, string];
  /** URLs of the page that shows the session. */
  readonly page: PageAddresses | undefined;
  readonly #worker: Worker;
  readonly #state: AnalysisSettings["state"];
  readonly #over: Promise<void>;
  readonly #watch: NodeJS.Timeout;
  #isGone = false;
  #isRecorded = false;
  #isDone = false;

  private constructor(
    worker: Worker,
    state: AnalysisSettings["state"],
    { version, roles, page }: Ready,
    say: (text: string) => void,
  ) {
    this.version = version;
    this.roles = roles;
    this.page = page;
    this.#worker = worker;
    this.#state = state;
    this.#over = new Promise((resolve) => {
      worker.on("message", (note: AnalysisNote) => {
        if (note.kind === "recorded") this.#isRecorded = true;
        if (note.kind === "done") {
          this.#isDone = true;
          resolve();
        }
        if (note.kind === "failed")
          say(`Recording stopped, but the session continues: ${note.text} [ERR_OUTPUT]`);
      });
      worker.on("error", ({ message }: Error) =>
        say(`Messages are no longer shown or checked, but the session continues: ${message}`),
      );
      worker.on("exit", () => {
        this.#isGone = true;
        resolve();
      });
    });
    let read = -1n;
    this.#watch = setInterval(() => {
      const now = Atomics.load(state.read, 0);
      if (now === read && Atomics.load(state.asleep, 0) === 0 && !this.#isGone) {
        say(
          `Messages are no longer shown or checked, because nothing has been read for ${hangsAfterMs / 1_000} s. The session continues`,
        );
        clearInterval(this.#watch);
      }
      read = now;
    }, hangsAfterMs).unref();
    worker.unref();
  }

  /**
   * Starts the analysis thread.
   *
   * @param say Called with messages for the user.
   * @throws InputError for invalid settings.
   */
  static async start(settings: Settings, say: (text: string) => void): Promise<AnalysisLink> {
    const state = {
      asleep: new Int32Array(new SharedArrayBuffer(4)),
      read: new BigInt64Array(new SharedArrayBuffer(8)),
    };
    const worker = new Worker(new URL("./analysis-thread.js", import.meta.url), {
      workerData: { ...settings, state },
    });
    const ready = await new Promise<Ready>((resolve, reject) => {
      worker.once("error", reject);
      worker.once("message", (note: AnalysisNote) => {
        worker.off("error", reject);
        if (note.kind === "ready") resolve(note);
        else if (note.kind === "refused")
          reject(new InputError(note.code, note.text, note.place, note.hint));
      });
    });
    return new AnalysisLink(worker, state, ready, say);
  }

  /** Whether the analysis thread has ended unexpectedly. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Number of bytes that the analysis has read so far. */
  get read(): bigint {
    return Atomics.load(this.#state.read, 0);
  }

  /** Wakes the analysis thread if it is waiting for bytes. */
  wake(): void {
    if (Atomics.exchange(this.#state.asleep, 0, 0) === 1) this.tell({ kind: "wake" });
  }

  tell(order: AnalysisOrder): void {
    this.#worker.postMessage(order);
  }

  /**
   * Waits until the analysis has read the remaining bytes, then terminates it. If it hangs,
   * terminates it anyway.
   *
   * @param mostMs Maximum number of milliseconds to wait.
   */
  async finish(mostMs: number): Promise<Finished> {
    clearInterval(this.#watch);
    this.#worker.ref();
    this.tell({ kind: "finish" });
    const end = performance.now() + mostMs;
    let read = -1n;
    for (
      let left = mostMs;
      left > 0 && !this.#isDone && !this.#isGone;
      left = end - performance.now()
    ) {
      if (this.read === read) break;
      read = this.read;
      await within(this.#over, Math.min(left, patienceMs), undefined);
    }
    await this.#worker.terminate();
    return { isRecorded: this.#isRecorded, isShown: this.#isDone };
  }
}

/** Whether the recording and the display were completed. */
export interface Finished {
  readonly isRecorded: boolean;
  readonly isShown: boolean;
}
