import { JsonLog } from "./json-log.js";
import { LogClock } from "./log-clock.js";
import type { LogFormat, LoggedMessage, Side } from "./log-format.js";

const heading =
  /^\[Trace - ([^\]]{1,40})\] (Sending|Received) (request|notification|response) '(.{0,1000}?)(?: - \(([^()']{0,1000})\))?'(?:\.| in )(.*)$/s;
const payload = /^(Params|Result): (.*)$/s;
const nothing = /^No (?:parameters provided|result returned)\.$/;
const failure = /Request failed: (.*) \((-?\d{1,10})\)\.?$/s;
const clockTime = /^(\d{1,2}):(\d\d):(\d\d)(?: ([AP])M)?$/;

/** A message whose first line has been read. Its parameters or result are on the next line. */
interface Announced {
  readonly side: Side;
  readonly time: number | undefined;
  readonly message: object;
}

/**
 * The trace of VS Code's language client:
 *
 * ```
 * [Trace - 10:00:00 AM] Sending request 'initialize - (0)'.
 * Params: {
 *     "processId": 1
 * }
 * ```
 *
 * The trace describes messages in words, from which this reader rebuilds the JSON-RPC messages. It
 * does not show whether an id was a number or a string of digits, nor the type of an empty result
 * or of empty parameters.
 */
export const languageClientLog: LogFormat = {
  name: "language-client",
  title:
    'VS Code language clients: the setting `"….trace.server": "verbose"`, from the output view',
  omits: "error data",
  sign: heading,
  open(protocol, handle) {
    const clock = new LogClock();
    let announced: Announced | undefined;
    return new JsonLog(protocol, handle, (text) => {
      const found = heading.exec(text);
      if (found !== null) {
        const [, time = "", verb, kind = "", method = "", id, rest = ""] = found;
        const side = verb === "Sending" ? "client" : "server";
        const at = timeOf(time, clock);
        const failed = kind === "response" ? failure.exec(rest) : null;
        announced =
          failed === null ? { side, time: at, message: envelopeOf(kind, method, id) } : undefined;
        return failed === null ? undefined : { side, time: at, ...failureOf(id, failed) };
      }
      if (announced === undefined) return undefined;
      const { message, ...place } = announced;
      const [, field = "", logged] = payload.exec(text) ?? [];
      if (logged !== undefined) {
        announced = undefined;
        const read = (value: unknown): LoggedMessage => ({
          message: { ...message, [field.toLowerCase()]: value },
        });
        return { ...place, text: logged, read };
      }
      if (!nothing.test(text)) return undefined;
      announced = undefined;
      return "method" in message
        ? { ...place, message, unknown: ["/params"] }
        : { ...place, message: { ...message, result: null }, unknown: ["/result"] };
    });
  },
};

function envelopeOf(kind: string, method: string, id: string | undefined): object {
  return {
    jsonrpc: "2.0",
    ...(kind === "notification" || id === undefined ? {} : { id: idOf(id) }),
    ...(kind === "response" ? {} : { method }),
  };
}

function failureOf(id: string | undefined, [, text = "", code]: RegExpExecArray): LoggedMessage {
  return {
    message: {
      jsonrpc: "2.0",
      id: idOf(id ?? ""),
      error: { code: Number(code), message: text },
    },
    unknown: ["/error/data"],
  };
}

function idOf(text: string): number | string {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/**
 * Parses the time of day, which the trace prints in the format of the editor's language. Returns
 * undefined for unknown formats.
 */
function timeOf(text: string, clock: LogClock): number | undefined {
  const [, hours, minutes, seconds, half] = clockTime.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === "P" ? 12 : 0);
  return clock.ofDay(`${hour}:${minutes}:${seconds}`);
}
