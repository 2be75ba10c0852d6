import type { Notation } from "../../../runtime/frames/decoder-options.js";
import { OracleFailure, type Target } from "../target.js";
import { commandTokens, elementTokens } from "./framing-tokens.js";
import { framesIn } from "./seeds.js";

/** Reads messages in another notation, writes them, and reads them back. */
export const notation: Target = {
  name: "notation",
  about: "the writers for command lines and XML documents, with the output of the readers",
  format: "bytes",
  maxLength: 600,
  work: { base: 50_000, perByte: 5_000 },
  tokens: [...elementTokens, ...commandTokens],
  seeds: () => [
    ...framesIn("xml-concat.md"),
    "break a.rb:1 if x\n",
    "var local\n",
    "frame 1\n",
    "eval a\\nb\n",
    "catch E\n",
    "list =\n",
  ],
  async open(modules) {
    const { framingOf } = await modules<typeof import("@wirewright/ruby-debug-ide")>(
      "generated/ruby-debug-ide/notation.js",
    );
    const { FrameDecoder, FrameEncoder, EncodeError } = await modules<
      typeof import("@wirewright/runtime")
    >("generated/ruby-debug-ide/runtime/index.js");
    const notations: readonly (readonly [string, Notation])[] = [
      ["frontend", framingOf("frontend")],
      ["debugger", framingOf("debugger")],
      ["rubymine", framingOf("debugger", "rubymine")],
      ["well-formed", framingOf("debugger", "well-formed")],
    ];
    const read = (framing: Notation, bytes: Uint8Array): readonly object[] => {
      const messages: object[] = [];
      const decoder = new FrameDecoder({ framing, onMessage: (each) => messages.push(each) });
      decoder.push(bytes);
      decoder.end();
      return messages;
    };
    return {
      check(input) {
        for (const [name, framing] of notations) {
          const encoder = new FrameEncoder({ framing });
          for (const message of read(framing, input)) {
            let bytes: Uint8Array;
            try {
              bytes = encoder.encode(message);
            } catch (error) {
              if (error instanceof EncodeError) continue;
              throw error;
            }
            // Compare with the message as first written, because reading the input may have dropped
            // or reordered parts.
            const text = Buffer.from(bytes).toString();
            const again = read(framing, bytes);
            const written = again.map((each) => Buffer.from(encoder.encode(each)).toString());
            if (written.join("") !== text && text.trim() !== "")
              throw new OracleFailure(
                "roundTrip",
                `${name}: ${JSON.stringify(written)}\ninstead of ${JSON.stringify(text)}\nfrom ${JSON.stringify(message)}`,
                `${name} ${Object.values(message)[0] as string}`,
              );
          }
        }
      },
    };
  },
};
