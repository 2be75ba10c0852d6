import { hostileParts, hostileValue, unbuildable } from "../hostile-values.js";
import { escapeBytes } from "../literal.js";
import { parseJson } from "../mutate-json.js";
import { OracleFailure, type Target } from "../target.js";
import { sampleMessages } from "./sample-messages.js";

/** Encodes arbitrary values and compares the result with `JSON.stringify`. */
export const encoder: Target = {
  name: "encoder",
  about: "the encoder, with values that JSON cannot represent, compared with JSON.stringify",
  format: "json",
  values: hostileParts,
  // The encoder repeats a cycle and everything in it 32 times before the maximum depth is exceeded.
  work: { base: 10_000_000, perByte: 5_000 },
  tokens: [
    "\u0000",
    "\u001f",
    '"',
    "\\",
    "\u007f",
    "é",
    "日本",
    "😀",
    "\u2028",
    "\ud83d",
    "\udc00",
  ],
  seeds: () =>
    [...["dap", "acp-breakpoints"].flatMap(sampleMessages), ...hostileParts].map((each) =>
      JSON.stringify(each),
    ),
  async open(modules) {
    const { FrameEncoder, FrameDecoder, EncodeError } =
      await modules<typeof import("../../../runtime/index.js")>("runtime/index.js");
    const encoders = {
      plain: new FrameEncoder(),
      ascii: new FrameEncoder({ asciiOnly: true }),
      lines: new FrameEncoder({ framing: "lines" }),
    };
    const encode = (name: keyof typeof encoders, value: object): Uint8Array | undefined => {
      try {
        return encoders[name].encode(value);
      } catch (error) {
        if (error instanceof EncodeError) return undefined;
        throw error;
      }
    };
    return {
      check(input, random) {
        const json = parseJson(input);
        if (json === undefined) return;
        const value = hostileValue(json) as object;
        if (value === unbuildable) return;
        const text = stringified(value);
        const differs = (what: string, bytes: Uint8Array | undefined): never => {
          const shown = bytes === undefined ? "nothing" : escapeBytes(bytes.subarray(0, 200));
          throw new OracleFailure("roundTrip", `${what}: ${shown}\ninstead of ${text}`, what);
        };

        const body = text === undefined ? undefined : Buffer.from(text);
        const frame = encode("plain", value);
        const expected = body && `Content-Length: ${body.length}\r\n\r\n${body.toString()}`;
        if ((frame && Buffer.from(frame).toString()) !== expected) differs("a frame", frame);
        const line = encode("lines", value);
        if ((line && Buffer.from(line).toString()) !== (text && `${text}\n`))
          differs("a line", line);
        const ascii = encode("ascii", value);
        if ((ascii === undefined) !== (text === undefined)) differs("a frame of ASCII", ascii);
        if (ascii?.some((byte) => byte > 0x7f)) differs("no ASCII", ascii);
        if (frame === undefined || ascii === undefined || text === undefined) return;

        const messages: string[] = [];
        const decoder = new FrameDecoder({
          limits: { maxDepth: 100_000 },
          onMessage: (message) => messages.push(JSON.stringify(message)),
          onFault: ({ code }) => messages.push(code),
        });
        const both = encoders.plain.encodeAll([value, value]);
        const cut = random.below(both.length);
        decoder.push(both.slice(0, cut));
        decoder.push(both.slice(cut));
        decoder.push(ascii);
        decoder.end();
        const again = JSON.stringify(JSON.parse(text));
        if (messages.length !== 3 || messages.some((each) => each !== again))
          throw new OracleFailure("roundTrip", `${messages.join(" ")}\ninstead of ${again}`, "all");
      },
    };
  },
};

/** Returns the result of `JSON.stringify`, or undefined if it is not an object. */
function stringified(value: unknown): string | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text?.startsWith("{") === true ? text : undefined;
  } catch {
    return undefined;
  }
}
