import assert from "node:assert/strict";
import { createEncoder, type FrontendToDebugger } from "@wirewright/ruby-debug-ide";
import { textOf } from "./framed-text.js";

export const commandEncoder = createEncoder({ from: "frontend" });

/** Encodes a command and returns its line without the line ending. */
export function lineOf(command: object): string {
  const line = textOf(commandEncoder.encode(command as FrontendToDebugger));
  assert.ok(line.endsWith("\n"));
  return line.slice(0, -1);
}
