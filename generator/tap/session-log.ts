import { createWriteStream, type WriteStream } from "node:fs";
import { InputError } from "../input-error.js";
import type { Protocol } from "../model/protocol.js";
import type { Observed } from "./session-observer.js";

/** The first line of a recording. */
export interface RecordingHead {
  readonly recording: "wirewright";
  /** Version of the form of recordings. */
  readonly form: 1;
  readonly protocol: string;
  readonly version: string;
  readonly roles: readonly [string, string];
  /** When it began, as ISO 8601 has it. */
  readonly began: string;
}

/** Writes a recording: a head, then a line of JSON for each thing that was observed. */
export class SessionLog {
  readonly #stream: WriteStream;
  #failed: Error | undefined;

  private constructor(stream: WriteStream) {
    this.#stream = stream;
    stream.on("error", (error) => (this.#failed = error));
  }

  /** @throws InputError `ERR_OUTPUT` if the file cannot be written. */
  static open(path: string, protocol: Protocol, began: Date): Promise<SessionLog> {
    const stream = createWriteStream(path);
    return new Promise((resolve, reject) => {
      stream.once("error", ({ message }) =>
        reject(
          new InputError("ERR_OUTPUT", `Cannot write the recording: ${message}`, { file: path }),
        ),
      );
      stream.once("open", () => {
        stream.removeAllListeners("error");
        const log = new SessionLog(stream);
        const { name, version, roles } = protocol;
        const head: RecordingHead = {
          recording: "wirewright",
          form: 1,
          protocol: name,
          version,
          roles,
          began: began.toISOString(),
        };
        stream.write(`${JSON.stringify(head)}\n`);
        resolve(log);
      });
    });
  }

  /** @param session Number of the session, where a recording has several. */
  write(observed: Observed, session?: number): void {
    if (this.#failed === undefined)
      this.#stream.write(
        `${JSON.stringify(session === undefined ? observed : { session, ...observed })}\n`,
      );
  }

  /** Resolves when everything is in the file; gives what went wrong on the way. */
  close(): Promise<Error | undefined> {
    return new Promise((resolve) => {
      if (this.#failed !== undefined) resolve(this.#failed);
      else this.#stream.end(() => resolve(this.#failed));
    });
  }
}
