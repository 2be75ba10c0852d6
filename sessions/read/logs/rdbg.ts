import { isObject } from "../../../runtime/protocol/message-fields.js";
import { JsonLog, onlyMessages } from "./json-log.js";
import { LogSessions } from "./log-sessions.js";
import type { LogFormat, LoggedMessage } from "./log-format.js";

const line = /^#(\d{1,10}):\[([<>])\] (\{.*)$/s;

/** Maximum gap in the sequence numbers before a message. */
const mostSkipped = 20;

/**
 * The log that rdbg writes to its standard error. Each line begins with the process id:
 *
 * ```
 * #16250:[>] {"seq":1,"type":"request","command":"initialize",…}
 * #16250:[<] {"type":"response","command":"initialize","request_seq":1,…}
 * ```
 *
 * The log contains no times. rdbg logs a response after sending it, so the next request may be
 * logged first. Each process is a separate session.
 *
 * The program writes to the same standard error. A line from the program that looks like a message
 * is taken for one only if its number continues the numbers of its side.
 */
export const rdbgLog: LogFormat = {
  name: "rdbg",
  title: "rdbg: `RUBY_DEBUG_DAP_SHOW_PROTOCOL=1`, on standard error",
  omits: "times, and the exact order of the two sides",
  isOrderLoose: true,
  sign: line,
  open(protocol, handle) {
    const sessions = new LogSessions();
    const isMessage = onlyMessages(protocol);
    /** The latest sequence numbers, by process and side. */
    const numbers = new Map<string, number>();
    const read = (key: string, value: unknown): LoggedMessage | undefined => {
      const message = isMessage(value);
      const number = isObject(value) ? value["seq"] : undefined;
      if (message === undefined || typeof number !== "number") return message;
      const last = numbers.get(key);
      // Accept the number 1 at any time, because each connection starts counting from 1 again.
      if (last !== undefined && number !== 1 && (number <= last || number > last + mostSkipped))
        return undefined;
      numbers.set(key, number);
      return message;
    };
    return new JsonLog(protocol, handle, (text) => {
      const [, process, arrow, logged] = line.exec(text) ?? [];
      if (logged === undefined) return undefined;
      return {
        side: arrow === ">" ? "client" : "server",
        session: sessions.numberOf(process!),
        text: logged,
        read: (value) => read(`${process} ${arrow}`, value),
      };
    });
  },
};
