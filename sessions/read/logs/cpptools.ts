import { JsonLog, onlyMessages } from "./json-log.js";
import type { LogFormat } from "./log-format.js";

const line = /^(?:\d{1,9}: \(\d{1,12}\) )?(-->|<--)\s{1,9}[CER] \([^()]{0,200}\): (\{.*)$/s;

/**
 * cpptools' engine log. `C`, `R` and `E` stand for a command, a response and an event:
 *
 * ```
 * 1: (123) <-- C (initialize-1): {"command":"initialize","type":"request","seq":1,…}
 * 1: (140) --> R (initialize-1): {"type":"response","request_seq":1,…}
 * ```
 */
export const cpptoolsLog: LogFormat = {
  name: "cpptools",
  title: 'cpptools: `"logging": {"engineLogging": true}` in `launch.json`, from the Debug Console',
  omits: "times",
  sign: line,
  open(protocol, handle) {
    const read = onlyMessages(protocol);
    return new JsonLog(protocol, handle, (text) => {
      const [, arrow, logged] = line.exec(text) ?? [];
      return logged === undefined ? undefined : { arrow: arrow!, text: logged, read };
    });
  },
};
