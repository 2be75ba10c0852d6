/** The parts of a connection that a lane client needs. */
export interface ClientCallbacks {
  /**
   * Encodes a command. Returns its line and its bytes.
   *
   * @throws EncodeError if the command cannot be written.
   */
  readonly encode: (command: object) => { readonly line: string; readonly bytes: Uint8Array };
  /** Writes a command's bytes. Called once per command. Never throws. */
  readonly write: (bytes: Uint8Array) => void;
  /**
   * Resolves to true once all bytes are written, or to false if they can no longer be written.
   * Undefined if no bytes are waiting.
   */
  readonly whenWritten: () => Promise<boolean> | undefined;
  /** Returns the defined command that an undefined command's line resembles. */
  readonly nameOf: (line: string) => string | undefined;
  readonly onEvent: (event: object) => void;
  readonly onNote: (note: object) => void;
  readonly onUnexpected: (message: object, command: string | undefined) => void;
  /** Default timeout of a command, in milliseconds, as returned by `limitOf`. */
  readonly timeoutMs: number | undefined;
  /**
   * Milliseconds without input after which text that ends with a line break is considered complete.
   */
  readonly textSilenceMs: number;
  /** Maximum length of a text answer. */
  readonly maxTextLength: number;
  /** Maximum number of commands awaiting an answer. */
  readonly maxWaiting: number;
}
