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
  /** Path of the sample. */
  program: string;
  /**
   * How to run. See \`--mode\`.
   *
   * - \`"fast"\`: at once
   * - \`"safe"\`: with checks
   *
   * - \`3\`: the third
   *
   * @default "safe"
   */
  mode?:
    | "fast"
    | "safe"
    | 3
    | null
    | {
        own: true;
      };
  /**
   * Integer from 0 to 9.
   *
   * @default 4
   */
  level?: number;
  /** Number from 0 to 1. */
  ratio?: number;
  label?: string;
  fixed?: {
    a: [1, 2];
  };
  /** @default ["--once"] */
  args?: string[] | string;
  pair?: [string?, number?, ...boolean[]];
  marks?: unknown[];
  env?: { [key: string]: string | null };
  paths?: {
    [key: string]: string | { [key: string]: unknown } | unknown[] | number | boolean | null;
  };
  /** @default {"host":"127.0.0.1"} */
  nested?: {
    host: string;
    /**
     * Integer from 1 to 2^16-1.
     *
     * @default 4711
     */
    port?: number;
    /** @default false */
    secure?: boolean;
  };
  /** Integer from 1. */
  choice?:
    | number
    | "auto"
    | "none"
    | {
        id: string;
      };
  single?: number;
  both?: {
    a: string;
    /** @default 1 */
    b?: number;
  };
  unlike?: string;
  either?: {
    kind?: "file" | "port";
  };
  tree?: SamplerLaunchNode;
  anything?: unknown;
  nothing?: never;
  /** @default "\${workspaceFolder}" */
  folder?: string;
  /** @deprecated Use \`mode\` instead. */
  old?: string;
  /** @deprecated Gone in *2.0*. */
  older?: boolean;
  "// a note to the next reader"?: unknown;
  /** Shown as a title */
  snippet?: { [key: string]: unknown };
}

export interface SamplerLaunchNode {
  name: string;
  children?: SamplerLaunchNode[];
}`,
  );
});
