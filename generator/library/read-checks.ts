import * as option from "../../runtime/base/check-options.js";
import type { EmitOptions } from "../emit/emit-package.js";
import type { ReadOptions } from "../read/read-protocol.js";

/** The options of what reads a protocol. */
export const readChecks: option.OptionChecks<ReadOptions> = {
  schema: option.either(option.text, option.listOf(option.text)),
  version: option.text,
  overlays: option.listOf(option.text),
  modules: option.flag,
  readStdin: option.callback,
  fetchText: option.callback,
  onWarning: option.callback,
  strictSchema: option.flag,
};

/** The options of what writes a package. */
export const emitChecks: option.OptionChecks<EmitOptions> = {
  packageName: option.text,
  runtime: option.text,
};
