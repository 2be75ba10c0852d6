import { type Target } from "../target.js";
import { type Generator, refusable } from "./refusable.js";

/** Initial declaration files that describe protocols. */
const declared = `export declare module P {
  /** Base. */
  interface ProtocolMessage { seq: number; type: 'request' | 'response' | 'event' | string; }
  interface Request extends ProtocolMessage { command: string; arguments?: any; }
  interface Event extends ProtocolMessage { event: string; body?: any; }
  interface Response extends ProtocolMessage { request_seq: number; success: boolean; command: string; message?: 'a' | string; body?: any; }
  interface ErrorResponse extends Response { body: { error?: string; }; }
  interface PutRequest extends Request {
    // command: 'put';
    arguments: PutArguments;
  }
  interface PutResponse extends Response { }
  interface PutArguments { a: string; "b"?: number[]; c?: { [key: string]: string | null; }; d: (A | B)[]; }
  type A = 'x' | 'y';
  type B = string;
  enum E { one = 1 }
}
`;

export const declarations: Target = {
  name: "declarations",
  about: "the reader for .d.ts files",
  format: "bytes",
  maxLength: 3_000,
  weight: 0.5,
  mostMs: 3_000,
  work: { base: 3_000_000, perByte: 20_000 },
  tokens: [
    "interface ",
    "type ",
    "extends ",
    "export ",
    "declare ",
    "module ",
    "namespace ",
    "enum ",
    "string",
    "number",
    "boolean",
    "null",
    "any",
    "unknown",
    "object",
    "never",
    "| ",
    "& ",
    "[]",
    "Array<",
    "Readonly",
    "Record<string, ",
    ">",
    "{ ",
    "}",
    "(",
    ")",
    ";",
    ":",
    "?",
    "'a'",
    '"b"',
    "/** ",
    "*/",
    "// command: 'put';",
    "[key: string]: ",
    "readonly ",
    "keyof ",
    "=> void",
    "`a`",
    "import x from 'y';",
    "import('z')",
    "-1",
    "1.5",
    "1n",
    "true",
    "string & {}",
    "A.B",
    "\\u0061",
    "'\\x'",
    "'\\u{1}'",
    "'a\\\n'",
    "unique symbol",
    "typeof ",
    "infer ",
    "this",
    "[a, b]",
    "void",
  ],
  seeds: () => [declared],
  async open(modules) {
    const generator = await modules<Generator>("cli/index.js");
    const { readDeclarations } = await modules<
      typeof import("../../../generator/read/source/declarations.js")
    >("generator/read/source/declarations.js");
    return {
      check: (input) =>
        refusable(generator, async () => {
          const file = await readDeclarations(Buffer.from(input).toString(), "types.d.ts");
          JSON.stringify(file.value);
          file.locate("/definitions/PutRequest");
        }),
    };
  },
};
