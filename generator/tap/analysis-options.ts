import type { PageAddresses } from "../inspector/page-server.js";
import type { InputErrorCode, InputPlace } from "../base/input-error.js";
import type { RedactOptions } from "../redact/redactor.js";
import type { JsonProtocol } from "../session/session-observer.js";
import type { SharedQueue } from "./byte-queue.js";

/** The data that the analysis thread receives when it starts. */
export interface AnalysisSettings {
  /** Name of the protocol, or path of its description. */
  readonly protocol: string;
  /** Files or URLs of the protocol's schema, if it does not come with the tool. */
  readonly schema: readonly string[] | undefined;
  /**
   * The facts for decoding, if nothing else of the protocol is needed. Its description is then not
   * read.
   */
  readonly framed?: JsonProtocol | undefined;
  readonly host: string | undefined;
  /** Dialect of the messages. Undefined: the protocol without a dialect. */
  readonly dialect?: string | undefined;
  readonly judges: boolean;
  /** How to print the session. Undefined: it is not printed. */
  readonly view: ViewSettings | undefined;
  /** Title of the page that shows the session. Undefined: there is no page. */
  readonly page?: string | undefined;
  /** Where to record lines of JSON. Undefined: they are not recorded. */
  readonly recording: RecordingSettings | undefined;
  /**
   * Queue that contains the bytes. Undefined: the bytes are in the file that the order `open`
   * names.
   */
  readonly queue: SharedQueue | undefined;
  readonly state: SharedState;
}

export interface ViewSettings {
  readonly colours: boolean;
  readonly columns: number | undefined;
  readonly bodyLines: number;
  readonly filters: readonly string[];
}

export interface RecordingSettings {
  readonly path: string;
  /** Whether to append to an existing recording. */
  readonly isAppended: boolean;
  /** Start time of the first session in ISO 8601. */
  readonly began: string;
  /** Undefined: the recording is not redacted. */
  readonly redaction: RedactOptions | undefined;
}

/** Memory that the forwarding thread and the analysis thread share. */
export interface SharedState {
  /** 1 while the analysis thread waits to be woken. */
  readonly asleep: Int32Array;
  /** Number of bytes that the analysis thread has read. */
  readonly read: BigInt64Array;
}

/** Messages to the analysis thread. */
export type AnalysisOrder =
  /** There may be bytes to read. */
  | { readonly kind: "wake" }
  /** The bytes are in this file. */
  | { readonly kind: "open"; readonly path: string }
  | { readonly kind: "pause"; readonly isPaused: boolean }
  | { readonly kind: "resize"; readonly columns: number | undefined }
  /** There will be no more bytes. */
  | { readonly kind: "finish" };

/** Messages from the analysis thread. */
export type AnalysisNote =
  | {
      readonly kind: "ready";
      readonly version: string;
      readonly roles: readonly [string, string];
      /** Addresses of the page, if there is one. */
      readonly page: PageAddresses | undefined;
    }
  /** An input cannot be used. */
  | {
      readonly kind: "refused";
      readonly code: InputErrorCode;
      readonly text: string;
      readonly place: InputPlace;
      readonly hint: string | undefined;
    }
  /** The recording can no longer be written. */
  | { readonly kind: "failed"; readonly text: string }
  /** All bytes have been read, and the recording is complete. */
  | { readonly kind: "recorded" }
  /** All bytes have been read, and all messages have been shown. */
  | { readonly kind: "done" };
