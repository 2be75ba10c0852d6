import { InputError, nearest } from "../../../generator/base/input-error.js";
import { cpptoolsLog } from "./cpptools.js";
import { debugpyLog } from "./debugpy.js";
import { delveLog } from "./delve.js";
import { gdbLog } from "./gdb.js";
import { jsDebugLog } from "./js-debug.js";
import { jsonrpcElLog } from "./jsonrpc-el.js";
import { languageClientLog } from "./language-client.js";
import { languageInspectorLog } from "./language-inspector.js";
import { lldbDapLog } from "./lldb-dap.js";
import { lldbVscodeLog } from "./lldb-vscode.js";
import type { LogFormat } from "./log-format.js";
import { nvimDapLog } from "./nvim-dap.js";
import { officialLibraryLog } from "./official-library.js";
import { rdbgLog } from "./rdbg.js";
import { trackerLog } from "./tracker.js";
import { zedLog } from "./zed.js";

/**
 * All log formats. A log's format is the one that matches its earliest line. If several formats
 * match that line, the first one in this array applies, so the least specific formats come last.
 */
export const logFormats: readonly LogFormat[] = [
  officialLibraryLog,
  debugpyLog,
  lldbDapLog,
  lldbVscodeLog,
  delveLog,
  gdbLog,
  rdbgLog,
  jsDebugLog,
  cpptoolsLog,
  jsonrpcElLog,
  zedLog,
  languageInspectorLog,
  languageClientLog,
  trackerLog,
  nvimDapLog,
];

/** @throws InputError `ERR_ARGUMENT` if no format has that name. */
export function logFormatOf(name: string): LogFormat {
  const format = logFormats.find((each) => each.name === name);
  if (format !== undefined) return format;
  const names = logFormats.map((each) => each.name);
  const guess = nearest(name, names);
  throw new InputError(
    "ERR_ARGUMENT",
    `Cannot find the format "${name}"`,
    {},
    guess === undefined ? `Formats: ${names.join(", ")}` : `Did you mean "${guess}"?`,
  );
}
