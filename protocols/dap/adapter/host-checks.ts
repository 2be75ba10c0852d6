import type { ConnectOptions } from "../../../generated/dap/connection.js";
import type { Middleware } from "@wirewright/runtime";

/**
 * A program that hosts adapters and checks their messages, as returned by `openHost` in the
 * `wirewright` package.
 */
export interface HostCheck {
  /**
   * Starts checking a session.
   *
   * @param onFinding Called with a sentence about each message that the protocol allows but the
   * host does not accept.
   */
  judge(onFinding: (message: string) => void): HostJudge;
}

/** Checks one session, message by message. */
export interface HostJudge {
  /** @param sender The side that sent the message. */
  see(sender: "client" | "adapter", message: object): void;
  /** Called when the session has ended. */
  end(): void;
}

/**
 * Shows the messages in a session to a host. Calling `see` without a message reports the end of the
 * session.
 */
export interface HostWatch extends Middleware {
  see(sender: "client" | "adapter", message?: object): void;
}

/**
 * Shows messages to a host as they are sent and received, and reports the host's findings. Ignores
 * exceptions thrown by the host.
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
