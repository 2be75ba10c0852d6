import { cpptoolsLogs } from "./cpptools.js";
import { debugpyLogs } from "./debugpy.js";
import { delveLogs } from "./delve.js";
import { gdbLogs } from "./gdb.js";
import { jsDebugLogs } from "./js-debug.js";
import { jsonrpcElLogs } from "./jsonrpc-el.js";
import { languageClientLogs } from "./language-client.js";
import { languageInspectorLogs } from "./language-inspector.js";
import { lldbDapLogs } from "./lldb-dap.js";
import { lldbVscodeLogs } from "./lldb-vscode.js";
import { nvimDapLogs } from "./nvim-dap.js";
import { officialLibraryLogs } from "./official-library.js";
import { rdbgLogs } from "./rdbg.js";
import { trackerLogs } from "./tracker.js";
import { zedLogs } from "./zed.js";
import type { LogSample } from "./log-sample.js";

/** Logs in all supported formats. */
export const logSamples: readonly LogSample[] = [
  ...officialLibraryLogs,
  ...debugpyLogs,
  ...lldbVscodeLogs,
  ...lldbDapLogs,
  ...delveLogs,
  ...gdbLogs,
  ...rdbgLogs,
  ...jsDebugLogs,
  ...cpptoolsLogs,
  ...jsonrpcElLogs,
  ...zedLogs,
  ...trackerLogs,
  ...nvimDapLogs,
  ...languageClientLogs,
  ...languageInspectorLogs,
];
