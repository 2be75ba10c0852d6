import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { transform } from "esbuild";
import { withoutInternalComments } from "../../../generator/emit/internal-comments.js";
import { fromRoot, filesBelow } from "../../support/paths.js";

const text = `// The parts of the runtime that this package uses.

import { a, b, type C } from "./options.js";
import { d } from "node:net";

export { Failure as AnyFailure };

declare const unused: C;

/** How much. */
export interface Limits {
  /** In bytes. */
  readonly bytes: Count;
}

// Counts things.
/** A count. */
export type Count = number;

/** Internal. */
interface Inner {
  /** Of nothing. */
  readonly at: number;
}

/** Fails. */
export class Failure {
  /** The code. */
  readonly code: string = a;
  /** Hidden. */
  readonly #inner: Inner | undefined;
  /** Also hidden. */
  private static readonly own = 1;

  /** Says it. */
  say(): string {
    // Why.
    const text = " // not a comment";
    return /* @__PURE__ */ helper(text, this.#inner);
  }
}

/** Helps. */
function helper(text: string, inner: Inner | undefined): string {
  return \`\${text}
\${inner?.at}\`;
}

/** Nobody asks for it. */
export function forgotten(): unknown {
  return b(d);
}
`;

test("removing internal comments leaves only comments on exports", () => {
  assert.equal(
    withoutInternalComments(text, ["AnyFailure", "Limits"]),
    `// The parts of the runtime that this package uses.

import { a, b, type C } from "./options.js";
import { d } from "node:net";

export { Failure as AnyFailure };

declare const unused: C;

/** How much. */
export interface Limits {
  /** In bytes. */
  readonly bytes: Count;
}

/** A count. */
export type Count = number;

interface Inner {
  readonly at: number;
}

/** Fails. */
export class Failure {
  /** The code. */
  readonly code: string = a;
  readonly #inner: Inner | undefined;
  private static readonly own = 1;

  /** Says it. */
  say(): string {
    const text = " // not a comment";
    return /* @__PURE__ */ helper(text, this.#inner);
  }
}

function helper(text: string, inner: Inner | undefined): string {
  return \`\${text}
\${inner?.at}\`;
}

export function forgotten(): unknown {
  return b(d);
}
`,
  );
});

test("removing internal comments does not change the code in runtime modules", async () => {
  for (const path of filesBelow("runtime", /\.ts$/)) {
    const own = readFileSync(fromRoot(path), "utf8");
    const code = async (each: string): Promise<string> =>
      (await transform(each, { loader: "ts", minifyWhitespace: true })).code;
    assert.equal(await code(withoutInternalComments(own, [])), await code(own), path);
  }
});
