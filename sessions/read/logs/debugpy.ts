import { JsonLog } from "./json-log.js";
import { LogClock } from "./log-clock.js";
import { LogSessions } from "./log-sessions.js";
import type { LogFormat } from "./log-format.js";

const stamp = /^[A-Z]\+(\d{1,12}\.\d{1,9}): /;
const channel = /^(?:[A-Z]\+\d{1,12}\.\d{1,9}: |\s+)Client\[(\d{1,9}|\?)\] (-->|<--) (.*)$/s;

/**
 * The log of debugpy's adapter:
 *
 * ```
 * D+00000.028: Client[1] --> {
 *                  "seq": 1,
 *                  …
 * D+00000.029: /handling #1 request "initialize" from Client[1]/
 *              Client[1] <-- {
 * ```
 *
 * Times are in seconds since debugpy started. The file also contains messages from the `Server` and
 * `Launcher` channels, which are ignored because they are not exchanged with the client.
 */
export const debugpyLog: LogFormat = {
  name: "debugpy",
  title: "debugpy: `DEBUGPY_LOG_DIR=FOLDER`, the file `debugpy.adapter-PID.log`",
  sign: channel,
  open(protocol, handle) {
    const clock = new LogClock();
    const sessions = new LogSessions();
    let now = "0";
    return new JsonLog(protocol, handle, (text) => {
      [, now = now] = stamp.exec(text) ?? [];
      const [, name, arrow, rest = ""] = channel.exec(text) ?? [];
      if (name === undefined) return undefined;
      return {
        side: arrow === "-->" ? "client" : "server",
        time: clock.ofSeconds(now),
        session: sessions.numberOf(name),
        text: rest,
      };
    });
  },
};
