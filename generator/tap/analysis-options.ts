import type { PageAddresses } from "../inspector/page-server.js";
import type { InputErrorCode, InputPlace } from "../base/input-error.js";
import type { RedactOptions } from "../redact/redactor.js";
import type { JsonProtocol } from "../session/session-observer.js";
import type { SharedQueue } from "./byte-queue.js";

/** The data with which the analysis thread starts. */
export interface AnalysisSettings {
  /** Name of the protocol, or path of its description. */
  readonly protocol: string;
  /** Schema of the protocol, if it does not come with the tool: files, or addresses. */
  readonly schema: readonly string[] | undefined;
  /** The protocol, if no feature needs its messages. Its description is then not read. */
  readonly framed?: JsonProtocol | undefined;
  readonly host: string | undefined;
  /** Dialect of the messages. Undefined: that of the protocol. */
  readonly dialect?: string | undefined;
  readonly judges: boolean;
  /** Undefined: nothing is shown. */
  readonly view: ViewSettings | undefined;
  /** Title of the page that shows the session. Undefined: no page. */
  readonly page?: string | undefined;
  /** Undefined: nothing is recorded as lines of JSON. */
  readonly recording: RecordingSettings | undefined;
  /** The source of the bytes. Undefined: the file that `open` names. */
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
  /** In ISO 8601. */
  readonly began: string;
  /** Undefined: nothing is redacted. */
  readonly redaction: RedactOptions | undefined;
}

/** Memory that both threads share. */
export interface SharedState {
  /** 1 while the analysis waits to be woken. */
  readonly asleep: Int32Array;
  /** Number of bytes that the analysis has read. */
  readonly read: BigInt64Array;
}

/** Messages to the analysis. */
export type AnalysisOrder =
  /** There may be bytes to read. */
  | { readonly kind: "wake" }
  /** The file with the bytes. */
  | { readonly kind: "open"; readonly path: string }
  | { readonly kind: "pause"; readonly isPaused: boolean }
  | { readonly kind: "resize"; readonly columns: number | undefined }
  /** No more bytes will come. */
  | { readonly kind: "finish" };

/** Messages from the analysis. */
export type AnalysisNote =
  | {
      readonly kind: "ready";
      readonly version: string;
      readonly roles: readonly [string, string];
      /** Address of the page, if there is one. */
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
  /** Everything has been read, and the recording is complete. */
  | { readonly kind: "recorded" }
  /** Everything has been read, and shown. */
  | { readonly kind: "done" };
