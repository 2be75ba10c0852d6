import assert from "node:assert/strict";
import { test } from "node:test";
import { FrameDecoder, type FrameDecoderOptions } from "../../runtime/index.js";
import { everyCut } from "./frame-cases.js";

/**
 * Decodes a stream and returns the messages along with the faults, which include all their
 * properties.
 */
export function reportsOf(
  bytes: Uint8Array,
  cuts: readonly number[],
  options: FrameDecoderOptions,
): readonly string[] {
  const log: string[] = [];
  const decoder = new FrameDecoder({
    ...options,
    onMessage: (message) => void log.push(JSON.stringify(message)),
    onFault: ({ code, message, offset, length, sample, recovered }) => {
      // The JavaScript engine's error messages vary between versions.
      const text = message.replace(/^(Cannot parse the body: ).+$/, "$1…");
      log.push(
        `${code} ${offset}+${length}: ${text}${recovered ? " (recovered)" : ""}`,
        `  ${sample}`,
      );
    },
  });
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    decoder.push(bytes.slice(from, cut));
    from = cut;
  }
  decoder.end();
  return log;
}

export interface Case {
  /** The bytes of the stream, one character each. */
  readonly stream: string;
  readonly options?: FrameDecoderOptions;
  readonly log: readonly string[];
}

/** Tests that streams are decoded as expected, however they are split. */
export function testFaults(group: string, cases: readonly Case[]): void {
  test(`every fault has an error message, a range and a sample, however the stream is split: ${group}`, () => {
    for (const { stream, options = {}, log } of cases) {
      const bytes = Buffer.from(stream, "latin1");
      for (const { name, cuts } of everyCut(bytes.length))
        assert.deepEqual(
          reportsOf(bytes, cuts, options),
          log,
          `${JSON.stringify(stream)}, ${name}`,
        );
    }
  });
}

export const strict = { recovery: "strict" } as const;

export const short = { limits: { maxHeaderBytes: 40 } } as const;
