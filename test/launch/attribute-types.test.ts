import assert from "node:assert/strict";
import { test } from "node:test";
import { generate } from "../../cli/index.js";
import { own } from "../support/configuration-packages.js";

test("attribute types follow the schema and include its descriptions", async () => {
  const { files } = await generate("dap", { configuration: own });
  const text = files.get("configuration.ts")!;
  const start = text.indexOf('/** Sampler attributes for "launch". */');
  const end = text.indexOf('/** Sampler configuration for "launch"');
  assert.equal(
    text.slice(start, end).trim(),
    `/** Sampler attributes for "launch". */
export interface SamplerLaunchAttributes {
  /**
   * Path of the sample.
   *
   * @default "\${workspaceFolder}/main.sample"
   */
  program: string;
  /**
   * How to run. See \`--mode\`.
   *
   * - \`"fast"\`: at once
   * - \`"safe"\`: with checks
   * - \`3\`: the third
   * - \`null\`: none
   * - \`{"own":true}\`: own
   *
   * @default "safe"
   */
  mode?: "fast" | "safe" | 3 | null | { own: true };
  /**
   * @default 4
   */
  level?: number;
  ratio?: number;
  label?: string;
  fixed?: { a: [1, 2] };
  /**
   * @default ["--once"]
   */
  args?: string[] | string;
  pair?: [] | [string] | [string, number, ...boolean[]];
  marks?: unknown[];
  env?: {
    [k: string]: string | null;
  };
  paths?: {
    [k: string]: unknown;
  };
  /**
   * @default {"host":"127.0.0.1"}
   */
  nested?: {
    /**
     * @default "localhost"
     */
    host: string;
    /**
     * @default 4711
     */
    port?: number;
    /**
     * @default false
     */
    secure?: boolean;
    [k: string]: unknown;
  };
  choice?:
    | number
    | ("auto" | "none")
    | {
        id: string;
        [k: string]: unknown;
      };
  single?: number;
  both?: {
    a?: string;
    [k: string]: unknown;
  } & {
    a: unknown;
    /**
     * @default 1
     */
    b?: number;
    [k: string]: unknown;
  };
  unlike?: string;
  either?: {
    kind?: "file" | "port";
    [k: string]: unknown;
  };
  tree?: SamplerLaunchNode;
  anything?: unknown;
  nothing?: never;
  /**
   * @default "\${workspaceFolder}"
   */
  folder?: string;
  /**
   * @deprecated Use \`mode\` instead.
   */
  old?: string;
  /**
   * @deprecated Gone in *2.0*.
   */
  older?: boolean;
  "// a note to the next reader"?: unknown;
  /**
   * Shown as a title
   */
  snippet?: {
    [k: string]: unknown;
  };
}
export interface SamplerLaunchNode {
  name: string;
  children?: SamplerLaunchNode[];
  [k: string]: unknown;
}`,
  );
});
