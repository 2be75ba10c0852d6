import { JsonLog, onlyMessages } from "./json-log.js";
import type { LogFormat } from "./log-format.js";

const label = /^\/\/ (Send|Receive)\b[^{}]*$/;

/**
 * Zed's message view for debug adapters and language servers. Zed is the client:
 *
 * ```
 * // Send:
 * {"seq":1,"type":"request","command":"initialize",…}
 *
 * // Receive:
 * {"seq":1,"type":"response","request_seq":1,…}
 * {"seq":2,"type":"event",…}
 * ```
 *
 * A label applies to all messages up to the next label.
 */
export const zedLog: LogFormat = {
  name: "zed",
  title: "Zed: the RPC message view of a debug adapter or a language server",
  omits: "times",
  sign: label,
  open(protocol, handle) {
    const read = onlyMessages(protocol);
    let side: "client" | "server" | undefined;
    return new JsonLog(protocol, handle, (text) => {
      const [, verb] = label.exec(text) ?? [];
      if (verb !== undefined) side = verb === "Send" ? "client" : "server";
      return side !== undefined && text.startsWith("{") ? { side, text, read } : undefined;
    });
  },
};
