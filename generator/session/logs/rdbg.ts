import { isObject } from "../../../runtime/index.js";
import { JsonLog, onlyMessages } from "./json-log.js";
import { LogSessions } from "./log-sessions.js";
import type { LogFormat, LoggedMessage } from "./log-format.js";

const line = /^#(\d{1,10}):\[([<>])\] (\{.*)$/s;

/** Maximum number of missing sequence numbers before a message. */
const mostSkipped = 20;

/**
 * The log of rdbg on its standard error, with the id of the process:
 *
 * ```
 * #16250:[>] {"seq":1,"type":"request","command":"initialize",…}
 * #16250:[<] {"type":"response","command":"initialize","request_seq":1,…}
 * ```
 *
 * There are no times. A response is logged after it was sent, and the next request may come in
 * between. The program writes to the same standard error: a line that it prints in this form counts
 * as a message only if its number continues those of its side. With another process id, it is a
 * separate session.
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
    /** By process and side, the latest number. */
    const numbers = new Map<string, number>();
    const read = (key: string, value: unknown): LoggedMessage | undefined => {
      const message = isMessage(value);
      const number = isObject(value) ? value["seq"] : undefined;
      if (message === undefined || typeof number !== "number") return message;
      const last = numbers.get(key);
      // A connection begins with 1 again.
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
