/**
 * Decodes the same chunks with our decoder, the official library and vscode-jsonrpc. The floor is
 * what no decoder can avoid: turning bytes that are already split into strings, and parsing them.
 */
import assert from "node:assert/strict";
import { Bench } from "./comparison.js";
import { official, vscodeJsonrpc, wirewright, type Decode } from "./decoders.js";
import { chunksOf, workloads } from "./workloads.js";

const sizes: Readonly<Record<string, number>> = {
  "64 KiB": 65536,
  "16 KiB": 16384,
  "1,460 B": 1460,
  "64 B": 64,
};
/** Bytes that the official library copies for a message, above which it would need minutes. */
const maxCopied = 1e9;

const bench = new Bench("codec");
for (const { name, messages, framed } of workloads) {
  const bodies = messages.map((message) => Buffer.from(JSON.stringify(message)));
  const floor: Decode = (_chunks, onMessage) => {
    for (const body of bodies) onMessage(JSON.parse(body.toString()));
  };
  for (const [size, bytes] of Object.entries(sizes)) {
    const isLarge = messages.length === 1;
    if (isLarge ? bytes === 64 : bytes === 16384) continue;
    const chunks = chunksOf(framed, bytes);
    // It joins what it has with each chunk.
    const copied = isLarge ? (chunks.length * framed.length) / 2 : 0;
    const decoders = {
      wirewright,
      ...(copied < maxCopied && { official }),
      "vscode-jsonrpc": vscodeJsonrpc(messages.length),
    };
    const competitors: Record<string, () => Promise<number>> = {};
    for (const [decoder, decode] of Object.entries({ ...decoders, floor })) {
      const decoded: unknown[] = [];
      await decode(chunks, (message) => decoded.push(message));
      assert.deepEqual(decoded, messages, `${decoder}: ${name}`);
      competitors[decoder] = async () => {
        let sum = 0;
        const decoding = decode(chunks, (message) => {
          sum += (message as { readonly seq: number }).seq;
        });
        if (decoding !== undefined) await decoding;
        return sum;
      };
    }
    await bench.compare(`decoding chunks of ${size}`, {
      work: name,
      count: messages.length,
      expected: messages.reduce((sum, { seq }) => sum + seq, 0),
      competitors,
    });
  }
}
await bench.finish();
