import { JsonLog, onlyMessages } from "./json-log.js";
import type { LogFormat } from "./log-format.js";

/** The beginning of an object in JSON, or as JavaScript prints it. */
const object = /(\{(?:\s*(?:"|'|[A-Za-z_$][\w$]*: ).*)?)$/.source;

/** A short prefix, an arrow, and the beginning of an object. */
const marked = new RegExp(
  `^(?:[^{}]{0,200}[^-=<>{}])?(-{0,2}>{1,3}|<{1,3}-{0,2}|=>|<=|[→←⇒⇐]):?\\s{0,9}${object}`,
  "s",
);

/** The method of `DebugAdapterTracker` that received the message. */
const named = new RegExp(
  `^[^{}]{0,200}\\bon(WillReceive|DidSend)Message\\b[^{}]{0,99}${object}`,
  "s",
);

/** The action on the message, in a word. */
const verb = "(read|recv|receiv(?:e|ed|ing)|got|send|sent|sending|write|wrote|writing)";
const mentioned = new RegExp(`^[^{}]{0,200}?\\b${verb}\\b[^{}]{0,60}?[:=]?\\s{0,9}${object}`, "is");

/** The protocol, before a message. */
const calledBy = new RegExp(`^[^{}]{0,200}\\bDAP\\b[^{}]{0,60}[:=]\\s{0,9}${object}`, "is");

/** A word or an arrow on a separate line: the message is on the next one. */
const alone = new RegExp(
  `^(?:[^{}]{0,80}\\b${verb}(?: [a-z]{1,20}){0,2}:|(?:[^{}]{0,80} )?(<-{1,2}|-{1,2}>) [A-Za-z]{1,40})\\s{0,9}$`,
  "is",
);

/** A message on several lines, without a mark. */
const bare = /^\{(?:\s*(?:seq|type|command|event|request_seq): .*)?$/s;

/** Words for the same direction are equivalent. */
function meaningOf(word: string): string {
  return /^(?:re|got)/i.test(word) ? "read" : "send";
}

/**
 * The output of a `DebugAdapterTracker`, as people write one: each message after an arrow or the
 * name of the method, on one line or on several.
 *
 * ```
 * > {"seq":1,"type":"request","command":"initialize"}
 * onDidSendMessage {
 * "type": "response",
 * Sending:
 * { seq: 2, type: 'request', command: 'threads' }
 * ```
 *
 * The meaning of arrows differs, so only the messages show their direction.
 */
export const trackerLog: LogFormat = {
  name: "tracker",
  title:
    "a `DebugAdapterTracker` of VS Code that prints the message, or `JSON.stringify(message)`, after an arrow, a word such as `send`, or the name of its method",
  omits: "times",
  sign: new RegExp(
    [marked, named, mentioned, calledBy, bare].map(({ source }) => source).join("|"),
    "is",
  ),
  open(protocol, handle) {
    const read = onlyMessages(protocol);
    /** The direction in the previous line. */
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
