import { JsonLog } from "./json-log.js";
import { LogClock } from "./log-clock.js";
import { LogSessions } from "./log-sessions.js";
import type { LogFormat } from "./log-format.js";

const line =
  /^(?:\[(\d\d:\d\d:\d\d\.\d{1,9})\]|(\d{1,12}\.\d{1,9})) (?:[^\s()]{1,200} )?(?:\(([^()]{1,200})\) )?(-->|<--) (\{.*)$/s;

/**
 * lldb-dap's log, with the name of the client in parentheses:
 *
 * ```
 * [11:05:26.859] (stdio) --> {"seq":1,"type":"request","command":"initialize",…}
 * [11:05:26.859] DAP.cpp:1000 (stdio) queued (command=initialize seq=1)
 * ```
 *
 * Versions 20 and 21 log the time in seconds, and do not always log the client.
 */
export const lldbDapLog: LogFormat = {
  name: "lldb-dap",
  title: "lldb-dap: `LLDBDAP_LOG=FILE`",
  sign: line,
  open(protocol, handle) {
    const clock = new LogClock();
    const sessions = new LogSessions();
    return new JsonLog(protocol, handle, (text) => {
      const [, time, seconds, client = "", arrow, logged] = line.exec(text) ?? [];
      if (logged === undefined) return undefined;
      return {
        side: arrow === "-->" ? "client" : "server",
        time: time === undefined ? clock.ofSeconds(seconds!) : clock.ofDay(time),
        session: sessions.numberOf(client),
        text: logged,
      };
    });
  },
};
