import type { PageAddresses } from "../show/inspector/page-server.js";
import type { InputErrorCode, InputPlace } from "../../generator/base/input-error.js";
import type { RedactOptions } from "../show/redact/redactor.js";
import type { JsonProtocol } from "../read/session-observer.js";
import type { SharedQueue } from "./byte-queue.js";

/** The data that the analysis thread receives when it is started. */
export interface AnalysisSettings {
  /** The protocol's name, or the path to its description. */
  readonly protocol: string;
  /** Files or URLs of the protocol's schema, if it does not ship with the tool. */
  readonly schema: readonly string[] | undefined;
  /**
   * The information required to decode messages. Set only if nothing else about the protocol is
   * needed, in which case the analysis does not read the protocol's description.
   */
  readonly framed?: JsonProtocol | undefined;
  readonly host: string | undefined;
  /** Dialect used by the messages. Undefined if they use none. */
  readonly dialect?: string | undefined;
  readonly judges: boolean;
  /** How to print the session. Undefined if it is not printed. */
  readonly view: ViewSettings | undefined;
  /** Title of the page that shows the session. Undefined if there is no page. */
  readonly page?: string | undefined;
  /** Where to write the recording as lines of JSON. Undefined if no lines are recorded. */
  readonly recording: RecordingSettings | undefined;
  /**
   * Queue that contains the bytes. Undefined if the bytes are in the file named in the `open`
   * order.
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
  /** Start time of the first session in ISO 8601 format. */
  readonly began: string;
  /** How to redact the recording. Undefined if it is not redacted. */
  readonly redaction: RedactOptions | undefined;
}

/** Memory shared by the forwarding thread and the analysis thread. */
export interface SharedState {
  /** 1 while the analysis thread is asleep and needs to be woken, otherwise 0. */
  readonly asleep: Int32Array;
  /** Number of bytes that the analysis thread has read so far. */
  readonly read: BigInt64Array;
}

/** Messages to the analysis thread. */
export type AnalysisOrder =
  /** Wakes the thread, because there may be bytes to read. */
  | { readonly kind: "wake" }
  /** Names the file that contains the bytes. */
  | { readonly kind: "open"; readonly path: string }
  | { readonly kind: "pause"; readonly isPaused: boolean }
  | { readonly kind: "resize"; readonly columns: number | undefined }
  /** Reports that no more bytes will follow. */
  | { readonly kind: "finish" };

/** Messages from the analysis thread. */
export type AnalysisNote =
  | {
      readonly kind: "ready";
      readonly version: string;
      readonly roles: readonly [string, string];
      /** The page's URLs, if there is one. */
      readonly page: PageAddresses | undefined;
    }
  /** Reports that an input, such as the protocol, cannot be used. */
  | {
      readonly kind: "refused";
      readonly code: InputErrorCode;
      readonly text: string;
      readonly place: InputPlace;
      readonly hint: string | undefined;
    }
  /** Reports that the recording can no longer be written. */
  | { readonly kind: "failed"; readonly text: string }
  /** Reports that all bytes have been read and the recording is complete. */
  | { readonly kind: "recorded" }
  /** Reports that all bytes have been read and all messages have been shown. */
  | { readonly kind: "done" };
