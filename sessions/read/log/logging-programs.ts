import type { Protocol } from "../../../generator/model/protocol.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import type { Fields, MessageKind } from "../message-reader.js";
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
  /** How a line describes a message in words. */
  readonly words?: MessageWords;
  /** Returns a function that restores messages. */
  readonly restorer?: (protocol: Protocol) => Restorer;
}

/** Returns a message as it was sent, and JSON Pointers to the parts that the log omits. */
export type Restorer = (message: Fields, role: string | undefined) => Restored;

export interface Restored {
  readonly message: object;
  readonly unknown: readonly string[];
}

/** The kind of message that a description names. */
export type DescribedKind = MessageKind | "failure";

/** How a line describes a message. */
export interface MessageWords {
  /**
   * The groups `name`, `kind`, `id`, and `took` for the milliseconds since the request, contain parts
   * of the message. `failure` is at the beginning of a failure's text. `client` or `server` is not
   * empty if that side sent it.
   */
  readonly line: RegExp;
  /** Whether either side may have written the log, so that the words only suggest the sender. */
  readonly isEitherSide?: true;
  /** The kinds of messages, if their names in the group `kind` are others. */
  readonly kinds?: Readonly<Record<string, DescribedKind>>;
  /**
   * Matches what precedes the payload, on the same line or on the next one. The group `error` is not
   * empty if it is the error of a failure, even if a result precedes it. Absent if the payload
   * follows directly.
   */
  readonly payload?: RegExp;
  /** Matches what the log prints instead of a payload. */
  readonly nothing?: RegExp;
  /** Returns whether a payload is the error of a failure, if no words tell. */
  readonly isFailure?: (payload: unknown) => boolean;
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
    sign: /^.{0,80}?\b(?:From|To) client: /,
    isExclusive: true,
    omits: "message numbers, the client's responses, and some output",
    words: {
      line: /^.{0,80}?(?:(?<client>From)|(?<server>To)) client: ("?)(?<name>[\w./$-]{1,200})\3\((?![a-z_]\w*=)/d,
    },
    restorer: (protocol) => (message, role) => {
      const { seq, ...rest } = message;
      if (seq !== 0) return withoutNumber(protocol)(message, role);
      const { body } = message;
      const isHidden = isObject(body) && body["output"] === noOutput;
      return { message: rest, unknown: isHidden ? ["/seq", "/body/output"] : ["/seq"] };
    },
  },
  {
    name: "language-client",
    sign: /\[[Tt]race\b[^\]]{0,40}\] (?:Sending|Received) /,
    omits: "error data",
    words: {
      line: /^[^{"]{0,200}?\[[Tt]race\b[^\]]{0,40}\] (?:(?<client>Sending)|(?<server>Received)) (?:error )?(?<kind>request|notification|response) ['‘’](?<name>.{0,1000}?)(?: - \((?<id>[^()'’]{0,1000})\))?['‘’](?: in (?<took>\d{1,9})ms)?(?:\. Processing request took \d{1,9}ms)?(?:[^[{]{0,200}?Request failed: (?<failure>))?/d,
      // A server's own trace has the same words.
      isEitherSide: true,
      payload: /^[\s.]*(?:Params|Result|(?<error>Error)(?=: (?:\{|null))): ?/,
      kinds: { notification: "event" },
      nothing: /^[\s.]*No (?:parameters provided|result returned)/,
    },
  },
  {
    name: "chromedriver",
    sign: /DevTools WebSocket (?:Command|Response|Event): /,
    omits: "the session ids in messages",
    words: {
      line: /^\[[\d:.-]{1,30}\]\[\w{1,10}\]: DevTools WebSocket (?:(?<client>(?=C))|(?<server>))(?<kind>Command|Response|Event): (?<name>\w{1,100}\.\w{1,100})(?: \(id=(?<id>\d{1,15})\))?(?: \(session_id=(?<session>\w{0,100})\))? \S{1,100} /d,
      kinds: { Command: "request", Response: "response", Event: "event" },
      isFailure: (payload) =>
        isObject(payload) && Number(payload["code"]) < 0 && typeof payload["message"] === "string",
    },
    restorer: () => (message) => ({ message, unknown: ["/sessionId"] }),
  },
  {
    // Names the method and the id in words, and prints only the parameters or the result.
    name: "sublime-lsp",
    sign: /^:: (?:\[TIME\] )?[<>~-]{2,3} /,
    words: {
      // Without the colons, other programs' lines look alike, but those contain the whole message.
      line: /^(?::: (?:\[[\d:.]{1,20}\] )?|(?:\[[\d:.]{1,20}\] )?(?=\S{2,3} LSP-|(?:(?:-->|<--|>>>|<<<|~~>|<~~) \S{1,100} (?:[\w$/]{1,200} )?\(\d{1,15}\)|(?: ->|(?:->|<[-?]) ) \S{1,100} [\w$/]{1,200}: )(?!.*\bjsonrpc\b)))(?: (?=->))?(?:(?<server><(?=[-<~?]))|(?=[->~]))(?<kind>--?|<<|>>|~~|\?)(?<client>>)? {1,2}(?<session>\S{1,100})(?: (?!\d{1,15}:)(?<name>[^\s(]{1,200}?))?(?:(?: ?\(| (?=\d{1,15}:))(?<id>[^()]{1,200}?)\)?)?(?: \(duration: (?<took>[\d.]{1,12})ms\))?(?:: ?|$)/d,
      kinds: {
        "--": "request",
        "-": "event",
        // A notification that nothing handles.
        "?": "event",
        "<<": "response",
        ">>": "response",
        "~~": "failure",
      },
    },
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
