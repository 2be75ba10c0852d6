import { isObject } from "../../../runtime/protocol/message-fields.js";
import { JsonLog } from "./json-log.js";
import { LogClock } from "./log-clock.js";
import type { LogFormat } from "./log-format.js";

const line = /^(?:\[[^\]]{0,99}\] )?(\{"isLSPMessage":true,.*)$/s;

/**
 * Lines for the Language Server Protocol Inspector, as written by VS Code clients:
 *
 * ```
 * [LSP   - 10:00:00 AM] {"isLSPMessage":true,"type":"send-request","message":{…},"timestamp":1517225932000}
 * ```
 */
export const languageInspectorLog: LogFormat = {
  name: "language-inspector",
  title: 'VS Code language clients: `"….trace.server": {"format": "json", "verbosity": "verbose"}`',
  sign: line,
  open(protocol, handle) {
    const clock = new LogClock();
    return new JsonLog(protocol, handle, (text) => {
      const [, logged] = line.exec(text) ?? [];
      if (logged === undefined) return undefined;
      return {
        text: logged,
        read: (value) => {
          if (!isObject(value) || !isObject(value["message"])) return undefined;
          const { type, message, timestamp } = value;
          const [verb] = String(type).split("-");
          return {
            message,
            side: verb === "send" ? "client" : verb === "receive" ? "server" : undefined,
            time: typeof timestamp === "number" ? clock.since(timestamp) : undefined,
          };
        },
      };
    });
  },
};
