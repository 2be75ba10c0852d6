import { isObject } from "../../../runtime/index.js";
import { pointerStep } from "../../../runtime/base/json-pointer.js";
import { JsonLog, plainMessage } from "./json-log.js";
import { LogClock } from "./log-clock.js";
import type { LogFormat, LoggedMessage } from "./log-format.js";

const line =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) \w+ layer=dap (?:\[(<- from|-> to) client\](\{.*))?/s;

/** Deepest nesting that is searched for absent values. */
const maxDepth = 64;

/**
 * The log of delve:
 *
 * ```
 * 2026-11-22T11:06:53Z debug layer=dap [<- from client]{"seq":1,"type":"request","command":"initialize",…}
 * 2026-11-22T11:06:53Z debug layer=dap [-> to client]{"seq":0,"type":"response","request_seq":1,…}
 * ```
 *
 * Messages of the client are logged as delve understood them: an absent value may have become an empty one, and an
 * empty value may be absent. The output of the program is in the same file. What it prints in this form is taken for
 * a message, unless its time is before the beginning of the log.
 */
export const delveLog: LogFormat = {
  name: "delve",
  title: "delve: `dlv dap --log --log-output=dap`",
  omits: "which values of the client were empty and which absent",
  sign: line,
  open(protocol, handle) {
    const clock = new LogClock();
    return new JsonLog(protocol, handle, (text) => {
      const [, date, direction, said] = line.exec(text) ?? [];
      const time = date === undefined ? undefined : clock.ofDate(date);
      if (said === undefined || time === undefined || time < 0) return undefined;
      return direction === "<- from"
        ? { side: "client", time, text: said, read: asUnderstood }
        : { side: "server", time, text: said };
    });
  },
};

function asUnderstood(value: unknown): LoggedMessage | undefined {
  const logged = plainMessage(value);
  return logged && { ...logged, unknown: [...emptyValues(logged.message, "", 0)] };
}

/** JSON Pointers of the values that may have been absent. */
function* emptyValues(value: object, at: string, depth: number): Generator<string> {
  if (depth === maxDepth) return;
  for (const [key, each] of Object.entries(value)) {
    const pointer = at + pointerStep(key);
    const isEmpty = isObject(each) ? Object.keys(each).length === 0 : !each;
    if (isEmpty) yield pointer;
    else if (typeof each === "object" && each !== null)
      yield* emptyValues(each as object, pointer, depth + 1);
  }
}
