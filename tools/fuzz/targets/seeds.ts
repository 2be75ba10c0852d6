import { readFrameCases } from "../../shared/frame-cases.js";

export type SeedFile =
  | "content-length.md"
  | "lines.md"
  | "nul.md"
  | "xml-concat.md"
  | "decimal-nul.md"
  | "length-prefix.md";

/** Maximum length of a test case that is used as a seed. */
const longest = 1_000;

/** The streams of the test cases. */
export function framesIn(file: SeedFile): readonly Uint8Array[] {
  return readFrameCases(`test/cases/${file}`)
    .map(({ bytes }) => Uint8Array.from(bytes))
    .filter(({ length }) => length <= longest);
}
