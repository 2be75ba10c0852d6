import type { Middleware } from "../../../generated/dap/runtime/index.js";
import type { ConnectOptions } from "../../../generated/dap/connection.js";

/** A program that hosts adapters, and what it makes of their messages. `openHost` of the package `wirewright` returns one. */
export interface HostCheck {
  /** Such as `Visual Studio`. */
  readonly title: string;
  /** Begins to judge a session. */
  judge(onFinding: (finding: HostFinding) => void): HostJudge;
}

/** Something that the host does not accept as the protocol does. */
export interface HostFinding {
  /** Id of the rule, such as `VS-SC1`. */
  readonly rule: string;
  /** JSON Pointer into the message. */
  readonly pointer: string;
  /** What the host makes of the message, as sentences. */
  readonly text: string;
}

/** Judges one session, message by message. */
export interface HostJudge {
  /** @param from The sender. */
  see(from: "client" | "adapter", message: object): void;
  /** The session is over. */
  end(): void;
}

/** Shows a host the messages as they are on the wire. It changes none, and an exception of the host changes nothing. */
export function showTo(
  host: HostCheck,
  report: NonNullable<ConnectOptions<"adapter">["onProblem"]>,
): { readonly middleware: Middleware; end(): void } {
  let subject: object | undefined;
  const judge = host.judge(({ rule, pointer, text }) => {
    const place = pointer === "" ? "" : `, ${pointer}`;
    const message = `${host.title} (${rule}${place}): ${text}`;
    report({ code: "ERR_HOST", message, ...(subject === undefined ? {} : { subject }) });
  });
  const quietly = (run: () => void): void => {
    try {
      run();
    } catch {
      // It is only a check.
    }
  };
  const see = (from: "client" | "adapter", message: object): void => {
    subject = message;
    quietly(() => judge.see(from, message));
  };
  return {
    middleware: {
      afterReceive(message) {
        see("client", message);
        return message;
      },
      afterSend: (message) => see("adapter", message),
    },
    end() {
      subject = undefined;
      quietly(() => judge.end());
    },
  };
}
