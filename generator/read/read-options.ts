import * as option from "../../runtime/base/check-options.js";
import type { WarningOptions } from "./schema/schema-file.js";
import type { InputOptions } from "./source/input-source.js";

/** Options for reading a protocol. */
export interface ReadOptions extends InputOptions, WarningOptions {
  /**
   * Schema to read instead of a version listed in the description: a path, an `https:` URL, `-`, or
   * an array of files that belong together.
   */
  readonly schema?: string | readonly string[];
  /**
   * Whether to read local files that a JSON Schema references. The files must be in the schema's
   * folder or below it. URLs are never read. Without this option, all references must point to
   * files in `schema`. Default: false.
   */
  readonly files?: boolean;
  /** One of the versions that the description lists. Default: the current version. */
  readonly version?: string;
  /** Overlay files, merged in this order. */
  readonly overlays?: readonly string[];
}

export const readChecks: option.OptionChecks<ReadOptions> = {
  schema: option.either(option.text, option.listOf(option.text)),
  files: option.flag,
  version: option.text,
  overlays: option.listOf(option.text),
  readStdin: option.callback,
  fetchText: option.callback,
  onWarning: option.callback,
  strictSchema: option.flag,
};
