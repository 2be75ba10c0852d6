import { JsonLog } from "./json-log.js";
import { LogClock } from "./log-clock.js";
import type { LogFormat } from "./log-format.js";

const line = /^\[jsonrpc\] e\[(\d\d:\d\d:\d\d\.\d{1,9})\]\s+(-->|<--)\s+[^{]{1,200}?(\{.*)$/s;

/**
 * The events buffer of `jsonrpc.el`, the library used by the clients dape and eglot:
 *
 * ```
 * [jsonrpc] e[11:26:09.972] --> initialize[1] {"type":"request","seq":1,"command":"initialize",…}
 * ```
 */
export const jsonrpcElLog: LogFormat = {
  name: "jsonrpc-el",
  title: "dape: `(setq dape-debug t)`, the buffer `*dape-… events*`; eglot: its events buffer",
  sign: line,
  open(protocol, handle) {
    const clock = new LogClock();
    return new JsonLog(protocol, handle, (text) => {
      const [, time, arrow, logged] = line.exec(text) ?? [];
      if (logged === undefined) return undefined;
      return {
        side: arrow === "-->" ? "client" : "server",
        time: clock.ofDay(time!),
        text: logged,
      };
    });
  },
};
