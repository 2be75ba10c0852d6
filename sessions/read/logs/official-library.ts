import { isObject } from "../../../runtime/protocol/message-fields.js";
import { JsonLog, plainMessage } from "./json-log.js";
import { LogClock } from "./log-clock.js";
import type { LogFormat, LoggedHead, LoggedMessage } from "./log-format.js";

const line = /^(?:\[(\d\d:\d\d:\d\d\.\d{3}) UTC\] )?(From|To) client: (.*)$/s;

/** Matches a request with its arguments: `next({"threadId":1})`. */
const request = /^([^({"]{1,200})\((.*)\)$/s;

/** Matches a reverse request: `"runInTerminal"({…}), timeout: 5000`. */
const reverseRequest = /^("(?:[^"\\]|\\.){1,200}")\((.*)\), timeout: -?\d+$/s;

/** Text logged by the library in place of output that the adapter excludes from the log. */
const noOutput = "<output not logged>";

/**
 * The log written by `LoggingDebugSession` from the official library:
 *
 * ```
 * [11:08:50.873 UTC] From client: next({"threadId":1})
 * [11:08:50.880 UTC] To client: {"seq":0,"type":"response","request_seq":3,"command":"next","success":true}
 * ```
 *
 * The client's requests are logged without their numbers. The adapter's messages are logged before
 * they are numbered. Neither the client's responses nor the logger's own output events are logged.
 * The time is optional.
 */
export const officialLibraryLog: LogFormat = {
  name: "official-library",
  title:
    "`@vscode/debugadapter`, `cdt-gdb-adapter` and other adapters with `LoggingDebugSession`: `logger.setup(Logger.LogLevel.Verbose, FILE)`",
  omits: "message numbers, the client's responses, and some output",
  sign: line,
  open(protocol, handle) {
    const clock = new LogClock();
    return new JsonLog(protocol, handle, (text) => {
      const [, time, from, logged = ""] = line.exec(text) ?? [];
      if (from === undefined) return undefined;
      const place = { time: time === undefined ? undefined : clock.ofDay(time) };
      return from === "From"
        ? { ...place, side: "client", ...fromClient(logged) }
        : { ...place, side: "server", ...toClient(logged) };
    });
  },
};

function fromClient(logged: string): LoggedHead | LoggedMessage {
  const [, command, args = ""] = request.exec(logged) ?? [];
  return command === undefined ? { text: logged } : requestOf(command, args);
}

function toClient(logged: string): LoggedHead | LoggedMessage {
  const [, command = "", args = ""] = reverseRequest.exec(logged) ?? [];
  return command === "" ? { text: logged, read: withoutNumber } : requestOf(textOf(command), args);
}

function requestOf(command: string, args: string): LoggedHead | LoggedMessage {
  const message = { type: "request", command };
  const unknown = ["/seq"];
  if (args === "undefined") return { message, unknown };
  if (!args.startsWith("{")) return { message, unknown: ["/seq", "/arguments"] };
  return { text: args, read: (value) => ({ message: { ...message, arguments: value }, unknown }) };
}

/** Removes a message's number, which remains 0 until the message is sent. */
function withoutNumber(value: unknown): LoggedMessage | undefined {
  const logged = plainMessage(value);
  if (logged === undefined) return undefined;
  const { seq, ...message } = logged.message as Readonly<Record<string, unknown>>;
  const { body } = message;
  const isHidden = isObject(body) && body["output"] === noOutput;
  return {
    message: seq === 0 ? message : logged.message,
    unknown: [...(seq === 0 ? ["/seq"] : []), ...(isHidden ? ["/body/output"] : [])],
  };
}

function textOf(json: string): string {
  try {
    return JSON.parse(json) as string;
  } catch {
    return json;
  }
}
