import { JsonLog, onlyMessages } from "./json-log.js";
import type { LogFormat } from "./log-format.js";

/** Something short, an arrow, and the beginning of an object. */
const marked =
  /^(?:[^{}]{0,200}[^-=<>{}])?(-{0,2}>{1,3}|<{1,3}-{0,2}|=>|<=|[→←⇒⇐]):?\s{0,9}(\{(?:\s*".*)?)$/s;

/** The method of `DebugAdapterTracker` that got the message. */
const named = /^[^{}]{0,200}\bon(WillReceive|DidSend)Message\b[^{}]{0,99}(\{(?:\s*".*)?)$/s;

/** A message on several lines, without a mark. */
const bare = /^\{$/;

/**
 * What a `DebugAdapterTracker` prints as people write it: each message after an arrow or the name of the method, on
 * one line or on several.
 *
 * ```
 * > {"seq":1,"type":"request","command":"initialize"}
 * onDidSendMessage {
 *   "type": "response",
 * ```
 *
 * Everyone draws arrows in another way, so that only the messages tell their direction.
 */
export const trackerLog: LogFormat = {
  name: "tracker",
  title:
    "a `DebugAdapterTracker` of VS Code that prints `JSON.stringify(message)` behind an arrow or the name of its method",
  omits: "times",
  sign: new RegExp(`${marked.source}|${named.source}|${bare.source}`, "s"),
  open(protocol, handle) {
    const read = onlyMessages(protocol);
    return new JsonLog(protocol, handle, (text) => {
      const [, method, called] = named.exec(text) ?? [];
      if (called !== undefined)
        return { side: method === "DidSend" ? "server" : "client", text: called, read };
      const [, arrow, said] = marked.exec(text) ?? [];
      if (said !== undefined) return { arrow: arrow!, text: said, read };
      return bare.test(text) ? { text, read } : undefined;
    });
  },
};
