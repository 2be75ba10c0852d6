import { isObject } from "../../../runtime/index.js";
import { JsonLog, plainMessage } from "./json-log.js";
import { LogClock } from "./log-clock.js";
import type { LogFormat, LoggedMessage } from "./log-format.js";

const head = /^(?:(\d{1,12}\.\d{1,9}) )?(?:\(?[\w:./-]{1,99}\)? )?(-->|<--) ?$/;

/**
 * The log of lldb-vscode, and of lldb-dap before version 20:
 *
 * ```
 * 1795346577.337441444 -->
 * Content-Length: 367
 *
 * {
 *   "arguments": {
 * ```
 *
 * lldb-dap 20 names the client before the arrow. lldb-vscode gives no times and prints messages on
 * one line. The length is that of the message on the wire, not of the text. A launcher that the
 * adapter starts truncates the same file: it may begin with NUL bytes, and in the middle of a
 * message. lldb-vscode also logs output from before a client connected, and never sends it. This
 * output is left out.
 */
export const lldbVscodeLog: LogFormat = {
  name: "lldb-vscode",
  title: "lldb-vscode: `LLDBVSCODE_LOG=FILE`; lldb-dap before 20: `LLDBDAP_LOG=FILE`",
  sign: head,
  open(protocol, handle) {
    const clock = new LogClock();
    let hasClient = false;
    const read = (value: unknown): LoggedMessage | undefined =>
      !hasClient && isObject(value) && value["event"] === "output"
        ? undefined
        : plainMessage(value);
    return new JsonLog(protocol, handle, (text) => {
      const [, time, arrow] = head.exec(text) ?? [];
      if (arrow === undefined) return undefined;
      if (arrow === "-->") hasClient = true;
      return {
        read,
        side: arrow === "-->" ? "client" : "server",
        time: time === undefined ? undefined : clock.ofSeconds(time),
        text: "",
      };
    });
  },
};
