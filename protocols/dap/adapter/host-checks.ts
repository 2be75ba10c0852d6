import type { ConnectOptions } from "../../../generated/dap/connection.js";
import type { Middleware } from "../../../generated/dap/runtime/index.js";

/**
 * A program that hosts adapters, and judges their messages. `openHost` of the package `wirewright`
 * returns such a program.
 */
export interface HostCheck {
  /**
   * Begins to judge a session.
   *
   * @param onFinding Called with a sentence about each message that the protocol allows but the
   * host does not accept.
   */
  judge(onFinding: (message: string) => void): HostJudge;
}

/** Judges one session, message by message. */
export interface HostJudge {
  /** @param sender The side that sent the message. */
  see(sender: "client" | "adapter", message: object): void;
  /** Called when the session has ended. */
  end(): void;
}

/**
 * Shows the messages of a session to a host. `see` without a message reports the end of the
 * session.
 */
export interface HostWatch extends Middleware {
  see(sender: "client" | "adapter", message?: object): void;
}

/**
 * Shows a host the messages as they are sent and received, and reports its findings. Ignores
 * exceptions of the host.
 */
export function watchFor(
  host: HostCheck,
  report: ConnectOptions<"adapter">["onProblem"],
): HostWatch {
  let subject: object | undefined;
  const judge = host.judge((message) =>
    report?.({ code: "ERR_HOST", message, ...(subject && { subject }) }),
  );
  const see: HostWatch["see"] = (sender, message) => {
    subject = message;
    try {
      if (message) judge.see(sender, message);
      else judge.end();
    } catch {
      // Ignore exceptions: a check must not end the session.
    }
  };
  return {
    see,
    afterReceive(message) {
      see("client", message);
      return message;
    },
    afterSend: (message) => see("adapter", message),
  };
}
