import type { Connection } from "../../../generated/dap/connection.js";
import {
  option,
  type AbortControllerClass,
  type HostSignal,
  type Signal,
} from "@wirewright/runtime";

declare const AbortController: AbortControllerClass;

/** The initial state of a progress report. */
export interface ProgressOptions {
  /** A message that is more detailed than the title. */
  readonly message?: string;
  /** Percentage complete, from 0 to 100. Default: unknown. */
  readonly percentage?: number;
  /**
   * Whether the client may offer to cancel the operation. If so, watch the signal. Default: false.
   */
  readonly cancellable?: boolean;
}

const progressChecks: option.OptionChecks<ProgressOptions> = {
  message: option.text,
  percentage: option.anything,
  cancellable: option.flag,
};

/** A running operation whose progress the client shows. */
export interface Progress {
  /** The `progressId` in the events, which is unique within the connection. */
  readonly id: string;
  /**
   * Aborted when the user cancels the operation, or when the request that the operation belongs to
   * is aborted.
   */
  readonly signal: HostSignal;
  /**
   * Reports the current state.
   *
   * @param percentage Percentage complete, from 0 to 100.
   */
  update(message?: string, percentage?: number): void;
  /** Ends the report. Later calls have no effect. */
  end(message?: string): void;
}

/**
 * Reports the progress of operations in one connection. Sends nothing to clients that have not
 * announced `supportsProgressReporting`.
 */
export class ProgressReports {
  readonly #connection: Connection<"adapter">;
  readonly #running = new Map<string, InstanceType<AbortControllerClass>>();
  #last = 0;

  constructor(connection: Connection<"adapter">) {
    this.#connection = connection;
  }

  /** Starts a progress report. If `seq` is given, the report belongs to that request. */
  start(
    title: string,
    options: ProgressOptions = {},
    request?: { readonly seq: number; readonly signal: Signal },
  ): Progress {
    option.checkOptions("progress", options, progressChecks);
    const { message, percentage, cancellable } = options;
    const progressId = `progress-${++this.#last}`;
    const controller = new AbortController();
    request?.signal.addEventListener("abort", () => controller.abort());
    if (request?.signal.aborted === true) controller.abort();
    this.#running.set(progressId, controller);
    const send = (event: string, body: object): void => {
      if (!this.#isShown()) return;
      // Send the event immediately, even before the response to the request.
      void this.#connection.notifyCustom(event, { progressId, ...body });
    };
    send("progressStart", {
      title,
      ...(request === undefined ? {} : { requestId: request.seq }),
      cancellable,
      message,
      percentage: inRange(percentage),
    });
    return {
      id: progressId,
      signal: controller.signal,
      update: (text, percent) => {
        if (!this.#running.has(progressId)) return;
        send("progressUpdate", { message: text, percentage: inRange(percent) });
      },
      end: (text) => {
        if (this.#running.delete(progressId)) send("progressEnd", { message: text });
      },
    };
  }

  /** Aborts the signal of a progress report that the client has cancelled. */
  cancel(progressId: string): void {
    this.#running.get(progressId)?.abort();
  }

  #isShown(): boolean {
    const flags = this.#connection.capabilities as Record<string, unknown> | undefined;
    return flags?.["supportsProgressReporting"] === true;
  }
}

function inRange(percentage: number | undefined): number | undefined {
  return percentage === undefined ? undefined : Math.min(100, Math.max(0, percentage));
}
