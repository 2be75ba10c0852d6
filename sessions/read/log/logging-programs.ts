import type { Protocol } from "../../../generator/model/protocol.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import type { Fields } from "../message-reader.js";
import { lossyParts } from "./lossy-client.js";

/** A program whose logs have properties that cannot be learned from the log itself. */
export interface LoggingProgram {
  readonly name: string;
  /**
   * Matches the words in front of a message. A line above them is separated by a line feed, and so
   * is `Content-Length` if the log prints this header. The group `session` names the session; `client`
   * or `server` is not empty if that side sent the message.
   */
  readonly sign: RegExp;
  /** Parts of messages that its logs omit. */
  readonly omits?: string;
  /** Whether what looks like a message but has other words in front of it is not part of the session. */
  readonly isExclusive?: true;
  /** Whether messages may be out of order, because the program logs the two sides separately. */
  readonly isOrderLoose?: true;
  /** Whether a message that precedes the opening request was logged but not sent. */
  readonly logsUnsent?: true;
  /** Whether its lines describe messages in words, of any protocol. The others log debug adapters. */
  readonly describes?: true;
  /** Returns a function that restores messages. */
  readonly restorer?: (protocol: Protocol) => Restorer;
}

/** Returns a message as it was sent, and JSON Pointers to the parts that the log omits. */
export type Restorer = (message: Fields, role: string | undefined) => Restored;

export interface Restored {
  readonly message: object;
  readonly unknown: readonly string[];
}

/** Text that the official library logs in place of output that the adapter excludes. */
const noOutput = "<output not logged>";

/** Marks the number of an adapter's message as unknown if the message is logged without it. */
function withoutNumber({ roles }: Protocol): Restorer {
  return (message, role) => ({
    message,
    unknown: role === roles[1] && !("seq" in message) ? ["/seq"] : [],
  });
}

/** The first program that matches a message's words is the one that wrote the log. */
export const loggingPrograms: readonly LoggingProgram[] = [
  {
    // Logs requests without their numbers, and the adapter's messages before they are numbered.
    // Omits the client's responses, and the logger's own output events.
    name: "official-library",
    sign: /^.{0,80}?\b(?:(?<client>From)|(?<server>To)) client: /,
    describes: true,
    isExclusive: true,
    omits: "message numbers, the client's responses, and some output",
    restorer: (protocol) => (message, role) => {
      const { seq, ...rest } = message;
      if (seq !== 0) return withoutNumber(protocol)(message, role);
      const { body } = message;
      const isHidden = isObject(body) && body["output"] === noOutput;
      return { message: rest, unknown: isHidden ? ["/seq", "/body/output"] : ["/seq"] };
    },
  },
  {
    // A server's own trace has the same words, so that they only suggest the sender.
    name: "language-client",
    sign: /\[[Tt]race\b[^\]]{0,40}\] (?:(?<client>Sending)|(?<server>Received)) /,
    describes: true,
    omits: "error data",
  },
  {
    name: "chromedriver",
    sign: /DevTools WebSocket (?:Command|Response|Event): (?:.*\(session_id=(?<session>\w{0,100})\))?/,
    describes: true,
    omits: "the session ids in messages",
    restorer: () => (message) => ({ message, unknown: ["/sessionId"] }),
  },
  {
    name: "sublime-lsp",
    sign: /^:: (?:\[TIME\] )? ?(?:(?<server><)|(?<client>[>~-]))[<>~?-]{1,2} {1,2}(?<session>\S+)/,
    describes: true,
  },
  {
    // Warnings repeat messages.
    name: "nvim-dap",
    sign: /^\[ ?(?:TRACE|DEBUG) ?\] TIME.*\.lua:\d+(?:.*\t(?:(?<client>"(?:request|response)")|(?<server>\d{1,9}))\t$)?/,
    isExclusive: true,
  },
  {
    name: "debugpy",
    sign: /\bClient\[(?<session>\d{1,9}|\?)\] (?:-->|<--) $/,
    // Other messages are exchanged with the debugged program.
    isExclusive: true,
  },
  {
    name: "lldb-vscode",
    sign: /^(?:TIME )?(?:\(?[\w:./-]{1,99}\)? )?(?:-->|<--) ?\nContent-Length\n$/,
    logsUnsent: true,
  },
  {
    name: "lldb-dap",
    sign: /^(?:\[TIME\]|TIME) (?:[^\s()]{1,200} )?(?:\((?<session>[^()]{1,200})\) )?(?:-->|<--) $/,
  },
  {
    name: "delve",
    sign: /^TIME\w* \w+ layer=dap \[(?:<- from|-> to) client\]$/,
    omits: "whether the client's values were empty or absent",
    isExclusive: true,
    restorer(protocol) {
      const unknownIn = lossyParts(protocol);
      return (message, role) => ({
        message,
        unknown: role === protocol.roles[0] ? unknownIn(message) : [],
      });
    },
  },
  {
    name: "gdb",
    sign: /^(?:READ|WROTE): <<<$/,
    omits: "times, and the adapter's message numbers",
    restorer: withoutNumber,
  },
  {
    // Logs a response after sending it, so the next request may be logged first.
    name: "rdbg",
    sign: /^#(?<session>\d{1,10}):\[[<>]\] $/,
    omits: "times, and the exact order of the two sides",
    isOrderLoose: true,
    isExclusive: true,
  },
];
