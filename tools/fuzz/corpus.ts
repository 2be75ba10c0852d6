import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { escapeBytes, unescapeBytes } from "./literal.js";

/** The folder of saved inputs, with one file per target and one escaped input per line. */
const folder = new URL("../../../tools/fuzz/corpus/", import.meta.url);

function pathOf(target: string): string {
  return fileURLToPath(new URL(`${target}.txt`, folder));
}

export function readCorpus(target: string): readonly Uint8Array[] {
  const path = pathOf(target);
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map(unescapeBytes);
}

export function writeCorpus(target: string, inputs: readonly Uint8Array[]): void {
  const path = pathOf(target);
  mkdirSync(dirname(path), { recursive: true });
  const lines = inputs.map(escapeBytes).sort();
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
}

/** Reads the files in a folder and splits them into seeds. */
export function readSeeds(path: string, maxLength: number): readonly Uint8Array[] {
  return readdirSync(path, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const bytes = readFileSync(join(entry.parentPath, entry.name));
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < bytes.length && pieces.length < 20; at += maxLength)
        pieces.push(Uint8Array.from(bytes.subarray(at, at + maxLength)));
      return pieces;
    });
}
