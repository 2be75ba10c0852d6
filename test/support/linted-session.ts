import { readProtocol } from "../../cli/index.js";
import type { RecordedEntry } from "../../sessions/read/recording.js";
import type { LintFinding } from "../../sessions/judge/rules.js";
import type { LintProfile } from "../../sessions/judge/session-state.js";
import { fromRoot } from "./paths.js";
import { findingsOf } from "./judged-entries.js";
import { runCommand, type Outcome } from "./run-command.js";

export const dap = await readProtocol("dap");

export const lint = (
  entries: readonly RecordedEntry[],
  profile: LintProfile,
): readonly LintFinding[] => findingsOf(dap, entries, { profile, rules: "none" });

/** The session that the tests record in every format. */
export const session: readonly (readonly ["client" | "adapter", object])[] = [
  ["client", { seq: 1, type: "request", command: "initialize", arguments: { adapterID: "é" } }],
  [
    "adapter",
    { seq: 1, type: "response", request_seq: 1, command: "initialize", success: true, body: {} },
  ],
  ["client", { seq: 2, type: "request", command: "terminate", arguments: {} }],
  ["adapter", { seq: 2, type: "response", request_seq: 2, command: "terminate", success: true }],
];

export const lines = (values: readonly object[]): Uint8Array =>
  Buffer.from(values.map((each) => JSON.stringify(each)).join("\n"));

/** Runs `wirewright lint`. */
export const run = (args: readonly string[], input: Uint8Array = new Uint8Array()): Outcome =>
  runCommand(fromRoot("."), ["lint", ...args], input);
