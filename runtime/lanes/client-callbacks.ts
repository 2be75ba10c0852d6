/** The parts of a connection that a client of lanes needs. */
export interface ClientCallbacks {
  /**
   * Encodes a command. Returns its line and its bytes.
   *
   * @throws EncodeError if the command cannot be written.
   */
  readonly encode: (command: object) => { readonly line: string; readonly bytes: Uint8Array };
  /** Writes the bytes of a command. Called once for each command. Never throws. */
  readonly write: (bytes: Uint8Array) => void;
  /**
   * Resolves to true when all bytes are written, or to false if that has become impossible.
   * Undefined if no bytes are waiting.
   */
  readonly whenWritten: () => Promise<boolean> | undefined;
  /** Returns the defined command that the line of an undefined command resembles. */
  readonly nameOf: (line: string) => string | undefined;
  readonly onEvent: (event: object) => void;
  readonly onNote: (note: object) => void;
  readonly onUnexpected: (message: object, command: string | undefined) => void;
  /** Default time limit of a command in milliseconds, as returned by `limitOf`. */
  readonly timeoutMs: number | undefined;
  /** Milliseconds without input after which text that ends with a line end counts as complete. */
  readonly textSilenceMs: number;
  /** Maximum length of a text answer. */
  readonly maxTextLength: number;
  /** Maximum number of commands that are waiting for an answer. */
  readonly maxWaiting: number;
}
