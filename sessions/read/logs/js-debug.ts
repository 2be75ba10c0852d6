import { isObject } from "../../../runtime/protocol/message-fields.js";
import { JsonLog } from "./json-log.js";
import { LogClock } from "./log-clock.js";
import { LogSessions } from "./log-sessions.js";
import type { LogFormat, LoggedMessage } from "./log-format.js";

const line = /^\{"(?:tag|timestamp)":.{0,99}"(?:tag|timestamp)":/s;

/**
 * js-debug's trace, as lines of JSON:
 *
 * ```
 * {"tag":"dap.receive","timestamp":1600000000000,"metadata":{"connectionId":0,"message":{…}},"level":0}
 * ```
 *
 * `dap.receive` marks messages from the client, `dap.send` messages to it. Other lines, such as
 * Chrome DevTools Protocol messages, are ignored.
 */
export const jsDebugLog: LogFormat = {
  name: "js-debug",
  title:
    'js-debug: `"trace": true` in `launch.json`; decompress the file if its name ends with `.gz`',
  sign: line,
  open(protocol, handle) {
    const clock = new LogClock();
    const sessions = new LogSessions();
    const read = (value: unknown): LoggedMessage | undefined => {
      if (!isObject(value) || !isObject(value["metadata"])) return undefined;
      const { tag, timestamp, metadata } = value;
      const { connectionId, message } = metadata as Readonly<Record<string, unknown>>;
      if ((tag !== "dap.send" && tag !== "dap.receive") || !isObject(message)) return undefined;
      return {
        message,
        side: tag === "dap.send" ? "server" : "client",
        time: typeof timestamp === "number" ? clock.since(timestamp) : undefined,
        session:
          typeof connectionId === "number" ? sessions.numberOf(String(connectionId)) : undefined,
      };
    };
    return new JsonLog(protocol, handle, (text) => (line.test(text) ? { text, read } : undefined));
  },
};
