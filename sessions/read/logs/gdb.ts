import { JsonLog, plainMessage } from "./json-log.js";
import type { LogFormat, LoggedMessage } from "./log-format.js";

const line = /^(READ|WROTE): <<<(\{.*)$/s;

/**
 * gdb's log:
 *
 * ```
 * READ: <<<{"seq": 1, "type": "request", "command": "initialize", …}>>>
 * WROTE: <<<{"request_seq": 1, "type": "response", "command": "initialize", "success": true}>>>
 * ```
 *
 * gdb logs its own messages before numbering them. The log contains no times.
 */
export const gdbLog: LogFormat = {
  name: "gdb",
  title: "gdb: `gdb -i dap -iex 'set debug dap-log-file FILE'`",
  omits: "times, and the adapter's message numbers",
  sign: line,
  open: (protocol, handle) =>
    new JsonLog(protocol, handle, (text) => {
      const [, verb, logged] = line.exec(text) ?? [];
      if (logged === undefined) return undefined;
      return verb === "READ"
        ? { side: "client", text: logged }
        : { side: "server", text: logged, read: withoutNumber };
    }),
};

function withoutNumber(value: unknown): LoggedMessage | undefined {
  const logged = plainMessage(value);
  return logged === undefined || "seq" in logged.message
    ? logged
    : { ...logged, unknown: ["/seq"] };
}
