import { readFrameCases } from "../../../test/support/frame-cases.js";

export type SeedFile =
  | "content-length.md"
  | "lines.md"
  | "nul.md"
  | "xml-concat.md"
  | "decimal-nul.md"
  | "length-prefix.md";

/** Longer test cases are not used as seeds. */
const longest = 1_000;

/** Returns the streams in the test cases. */
export function framesIn(file: SeedFile): readonly Uint8Array[] {
  return readFrameCases(`test/cases/${file}`)
    .map(({ bytes }) => Uint8Array.from(bytes))
    .filter(({ length }) => length <= longest);
}
