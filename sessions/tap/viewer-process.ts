import { type ChildProcess, fork } from "node:child_process";
import nodeModule from "node:module";
import { env } from "node:process";
import {
  InputError,
  type InputErrorCode,
  type InputPlace,
} from "../../generator/base/input-error.js";
import type { PageAddresses } from "../show/inspector/page-server.js";
import type { RecordingFile } from "./recording-file.js";
import { within } from "./within.js";

/** The viewer's settings. */
export interface ViewerSettings {
  /** The protocol's name, or the path to its description. */
  readonly protocol: string;
  /** Files or URLs of the protocol's schema, if it does not ship with the tool. */
  readonly schema?: readonly string[] | undefined;
  readonly host?: string | undefined;
  /** Dialect used by the messages. Undefined if they use none. */
  readonly dialect?: string | undefined;
  readonly judges: boolean;
  /** How to print the session. Undefined if it is not printed. */
  readonly view?:
    | {
        readonly colours: boolean;
        readonly bodyLines: number;
        readonly filters: readonly string[];
      }
    | undefined;
  /** Title of the page that shows the session. Undefined if there is no page. */
  readonly page?: string | undefined;
}

/** Messages to the viewer. When the channel closes, the recording is complete. */
export type ViewerOrder =
  /** Names the recording, and the offset from which to show it. */
  | {
      readonly kind: "follow";
      readonly path: string;
      readonly start: number;
      /** Whether the viewer is the only reader of the recording, and removes its folder. */
      readonly isTemporary: boolean;
    }
  | { readonly kind: "pause"; readonly isPaused: boolean };

/** Messages from the viewer. */
export type ViewerNote =
  /** The settings are valid. `page` contains the URLs of the page, if there is one. */
  | { readonly kind: "ready"; readonly page?: PageAddresses | undefined }
  | {
      readonly kind: "refused";
      readonly code: InputErrorCode;
      readonly text: string;
      readonly place: InputPlace;
      readonly hint?: string | undefined;
    };

/** Returns the folder of the compile cache, which Node 22.8 and later have. */
function compileCache(): string | undefined {
  return (nodeModule as { getCompileCacheDir?: () => string | undefined }).getCompileCacheDir?.();
}

/** Milliseconds that the viewer has, at the end, to show the rest of the recording. */
const finishMs = 10_000;

/**
 * The process that shows a session and checks its messages. It follows the recording, and shares
 * nothing else with the process that forwards: whatever it does, the session continues.
 */
export class ViewerProcess {
  /**
   * Resolves once the settings turn out to be valid, with the URLs of the page that shows the
   * session. Rejects with an InputError if they are invalid.
   */
  readonly ready: Promise<PageAddresses | undefined>;
  readonly #process: ChildProcess;
  readonly #exited: Promise<true>;
  readonly #say: (text: string) => void;
  #finished: Promise<void> | undefined;

  /**
   * Starts the process.
   *
   * @param say Called with messages for the user.
   */
  constructor(settings: ViewerSettings, say: (text: string) => void) {
    const process = fork(new URL("./viewer.js", import.meta.url), [JSON.stringify(settings)], {
      env: { NODE_COMPILE_CACHE: compileCache(), ...env },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#process = process;
    this.#say = say;
    this.#exited = new Promise((resolve) => {
      for (const end of ["exit", "error"] as const) process.on(end, () => resolve(true));
    });
    this.ready = new Promise((resolve, reject) => {
      process.once("message", (note: ViewerNote) => {
        if (note.kind === "ready") resolve(note.page);
        else reject(new InputError(note.code, note.text, note.place, note.hint));
      });
      process.once("error", reject);
      process.once("exit", () => reject(new Error("The process that shows the session has ended")));
    });
    // If it fails on its own, it says so itself.
    process.on("exit", (_code, signal) => {
      if (signal !== null && this.#finished === undefined)
        say(
          `Messages are no longer shown or checked, but the session continues: the display was ended by ${signal}`,
        );
    });
    const release = (): void => {
      if (this.#finished !== undefined) return;
      process.unref();
      process.channel?.unref();
    };
    this.ready.then(release, release);
  }

  /** Shows a recording while it grows. What it contained when it was opened is not shown. */
  follow({ path, start }: RecordingFile, isTemporary: boolean): void {
    this.#tell({ kind: "follow", path, start, isTemporary });
  }

  pause(isPaused: boolean): void {
    this.#tell({ kind: "pause", isPaused });
  }

  /** Waits until the rest of the recording has been shown. If that takes too long, stops it. */
  finish(): Promise<void> {
    return (this.#finished ??= this.#finish());
  }

  async #finish(): Promise<void> {
    this.#process.ref();
    // Orders that a process has not yet read are lost when the channel closes.
    const ended = this.ready
      .catch(() => undefined)
      .then(() => {
        if (this.#process.connected) this.#process.disconnect();
        return this.#exited;
      });
    if (await within(ended, finishMs, false)) return;
    this.#process.kill("SIGKILL");
    this.#say("The end of the session is not shown, because that would take too long");
  }

  #tell(order: ViewerOrder): void {
    // If the process has ended, that was already reported.
    if (this.#process.connected) this.#process.send(order, () => undefined);
  }
}
