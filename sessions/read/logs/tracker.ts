import { JsonLog, onlyMessages } from "./json-log.js";
import type { LogFormat } from "./log-format.js";

/** The beginning of an object, either in JSON or as printed by JavaScript. */
const object = /(\{(?:\s*(?:"|'|[A-Za-z_$][\w$]*: ).*)?)$/.source;

/** Matches a short prefix, an arrow, and the beginning of an object. */
const marked = new RegExp(
  `^(?:[^{}]{0,200}[^-=<>{}])?(-{0,2}>{1,3}|<{1,3}-{0,2}|=>|<=|[→←⇒⇐]):?\\s{0,9}${object}`,
  "s",
);

/**
 * Matches the name of the `DebugAdapterTracker` method that received the message, followed by the
 * beginning of an object.
 */
const named = new RegExp(
  `^[^{}]{0,200}\\bon(WillReceive|DidSend)Message\\b[^{}]{0,99}${object}`,
  "s",
);

/** A verb that indicates the message's direction. */
const verb = "(read|recv|receiv(?:e|ed|ing)|got|send|sent|sending|write|wrote|writing)";
const mentioned = new RegExp(`^[^{}]{0,200}?\\b${verb}\\b[^{}]{0,60}?[:=]?\\s{0,9}${object}`, "is");

/** Matches the protocol's name, followed by the beginning of an object. */
const calledBy = new RegExp(`^[^{}]{0,200}\\bDAP\\b[^{}]{0,60}[:=]\\s{0,9}${object}`, "is");

/**
 * Matches a line that contains a verb or an arrow but no object: the message is on the next line.
 */
const alone = new RegExp(
  `^(?:[^{}]{0,80}\\b${verb}(?: [a-z]{1,20}){0,2}:|(?:[^{}]{0,80} )?(<-{1,2}|-{1,2}>) [A-Za-z]{1,40})\\s{0,9}$`,
  "is",
);

/** Matches the first line of a message that spans several lines and has no arrow or verb. */
const bare = /^\{(?:\s*(?:seq|type|command|event|request_seq): .*)?$/s;

/** Maps a verb to its direction: `read` or `send`. */
function meaningOf(word: string): string {
  return /^(?:re|got)/i.test(word) ? "read" : "send";
}

/**
 * The output of a typical `DebugAdapterTracker`. Each message follows an arrow, a verb or the name
 * of the method, and may span several lines.
 *
 * ```
 * > {"seq":1,"type":"request","command":"initialize"}
 * onDidSendMessage {
 *   "type": "response",
 * Sending:
 * { seq: 2, type: 'request', command: 'threads' }
 * ```
 *
 * Because trackers use arrows in different ways, the direction is inferred from the messages.
 */
export const trackerLog: LogFormat = {
  name: "tracker",
  title:
    "a VS Code `DebugAdapterTracker` that prints the message, or `JSON.stringify(message)`, after an arrow, a word such as `send`, or the name of its method",
  omits: "times",
  sign: new RegExp(
    [marked, named, mentioned, calledBy, bare].map(({ source }) => source).join("|"),
    "is",
  ),
  open(protocol, handle) {
    const read = onlyMessages(protocol);
    /** The direction announced by the previous line for the message on this line. */
    let announced: string | undefined;
    return new JsonLog(protocol, handle, (text) => {
      const [, method, called] = named.exec(text) ?? [];
      if (called !== undefined)
        return { side: method === "DidSend" ? "server" : "client", text: called, read };
      const [, arrow, pointed] = marked.exec(text) ?? [];
      if (pointed !== undefined) return { arrow: arrow!, text: pointed, read };
      const [, word, spoken] = mentioned.exec(text) ?? [];
      if (spoken !== undefined) return { arrow: meaningOf(word!), text: spoken, read };
      const [, plain] = calledBy.exec(text) ?? [];
      if (plain !== undefined) return { text: plain, read };
      const mark = announced;
      announced = undefined;
      if (bare.test(text)) return { ...(mark === undefined ? {} : { arrow: mark }), text, read };
      const [, before, pointer] = alone.exec(text) ?? [];
      announced = before === undefined ? pointer : meaningOf(before);
      return undefined;
    });
  },
};
