import { isObject } from "../../../runtime/protocol/message-fields.js";
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
 * lldb-dap 20 prints the name of the client before the arrow. lldb-vscode logs no times and prints
 * each message on a single line. `Content-Length` is the length of the message as it was sent, not
 * of the logged text.
 *
 * A launcher started by the adapter truncates the same file, so the log may begin with NUL bytes,
 * in the middle of a message.
 *
 * lldb-vscode also logs output from before a client connected, although it never sends that output.
 * This reader skips it.
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
