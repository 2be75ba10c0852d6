import { isObject } from "../../../runtime/protocol/message-fields.js";
import { pointerStep } from "../../../runtime/base/json-pointer.js";
import type { Definition, Type } from "../../../generator/model/types.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { flattenProperties } from "../../../generator/model/properties.js";
import { typeAt } from "../../../generator/model/type-at.js";
import { JsonLog, plainMessage } from "./json-log.js";
import { LogClock } from "./log-clock.js";
import type { LogFormat, LoggedMessage } from "./log-format.js";

const line =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) \w+ layer=dap (?:\[(<- from|-> to) client\](\{.*))?/s;

/** Maximum depth to which values are searched for ones that may have been absent or empty. */
const maxDepth = 64;

/**
 * delve's log:
 *
 * ```
 * 2026-11-22T11:06:53Z debug layer=dap [<- from client]{"seq":1,"type":"request","command":"initialize",…}
 * 2026-11-22T11:06:53Z debug layer=dap [-> to client]{"seq":0,"type":"response","request_seq":1,…}
 * ```
 *
 * delve parses a message from the client and logs the result. In doing so, it may log an absent
 * value as empty and omit an empty value, so both count as unknown. The arguments of `launch` and
 * `attach` are logged as they were sent.
 *
 * The program's output goes to the same file. A line of output that looks like a message is taken
 * for one, unless its time is before the beginning of the log.
 */
export const delveLog: LogFormat = {
  name: "delve",
  title: "delve: `dlv dap --log --log-output=dap`",
  omits: "whether the client's values were empty or absent",
  sign: line,
  open(protocol, handle) {
    const clock = new LogClock();
    const read = understood(protocol);
    return new JsonLog(protocol, handle, (text) => {
      const [, date, direction, logged] = line.exec(text) ?? [];
      const time = date === undefined ? undefined : clock.ofDate(date);
      if (logged === undefined || time === undefined || time < 0) return undefined;
      return direction === "<- from"
        ? { side: "client", time, text: logged, read }
        : { side: "server", time, text: logged };
    });
  },
};

/** Requests whose arguments delve logs as they were sent. */
const verbatim: ReadonlySet<unknown> = new Set(["launch", "attach"]);

/**
 * Returns a function that reads messages from the client and lists the values that may have been
 * absent or empty.
 */
function understood(protocol: Protocol): (value: unknown) => LoggedMessage | undefined {
  const definitions = new Map(protocol.definitions.map((each) => [each.name, each]));
  const payloads = new Map(
    protocol.messages
      .filter(({ kind }) => kind === "request")
      .map(({ name, payload }) => [name, payload?.type]),
  );
  return (value) => {
    const logged = plainMessage(value);
    if (logged === undefined) return undefined;
    const { command, arguments: args } = logged.message as Readonly<Record<string, unknown>>;
    if (verbatim.has(command)) return logged;
    const type = payloads.get(String(command));
    const absent =
      isObject(args) && type !== undefined
        ? absentValues(definitions, type, args, "/arguments", 0)
        : [];
    return { ...logged, unknown: [...emptyValues(logged.message, "", 0), ...absent] };
  };
}

/** Returns JSON Pointers to absent values that may have been `false`, 0 or an empty string. */
function* absentValues(
  definitions: ReadonlyMap<string, Definition>,
  type: Type,
  value: unknown,
  at: string,
  depth: number,
): Generator<string> {
  const own = typeAt(definitions, type, []);
  if (depth === maxDepth || own === undefined) return;
  if (own.kind === "array" && Array.isArray(value))
    for (const [index, each] of value.entries()) {
      const item = typeAt(definitions, own, ["0"]);
      if (item !== undefined)
        yield* absentValues(definitions, item, each, `${at}/${index}`, depth + 1);
    }
  if (own.kind !== "object" || !isObject(value)) return;
  for (const { name, required, type: inner } of flattenProperties(definitions, own)) {
    const pointer = at + pointerStep(name);
    if (Object.hasOwn(value, name))
      yield* absentValues(definitions, inner, value[name], pointer, depth + 1);
    else if (!required && plain.has(typeAt(definitions, inner, [])?.kind)) yield pointer;
  }
}

const plain: ReadonlySet<string | undefined> = new Set(["boolean", "integer", "number", "string"]);

/** Returns JSON Pointers to empty values that may have been absent. */
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
