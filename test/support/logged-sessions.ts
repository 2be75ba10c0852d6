import { readFileSync } from "node:fs";
import { shared } from "./paths.js";

type Message = Readonly<Record<string, unknown>>;

/** A log written by a real tool, and how it differs from the bytes on the wire. */
export interface LoggedSession {
  /** Name of the folder in `../shared/logs`. */
  readonly name: string;
  readonly file: string;
  /** Whether the log omits the numbers of some messages. */
  readonly omitsNumbers?: true;
  /** How many wire messages are missing from the log, and which messages may be missing. */
  readonly missing?: readonly [count: number, may: (message: Message, from: string) => boolean];
}

function isOutput({ event }: Message): boolean {
  return event === "output";
}

export const loggedSessions: readonly LoggedSession[] = [
  {
    // The client also received each log line as an output event.
    name: "cdt-gdb-adapter",
    file: "cdt.log",
    omitsNumbers: true,
    missing: [507, isOutput],
  },
  { name: "dape", file: "events.log" },
  { name: "debugpy-1.8", file: "debugpy.adapter-16704.log" },
  { name: "delve", file: "dlv.log" },
  { name: "gdb-dap", file: "gdb.log", omitsNumbers: true },
  {
    // The adapter crashed before it logged its last messages.
    name: "lldb-dap-19",
    file: "lldb.log",
    missing: [2, isOutput],
  },
  { name: "lldb-dap-22", file: "lldb.log" },
  { name: "lldb-vscode-14", file: "lldb.log" },
  { name: "nvim-dap", file: "dap.log" },
  { name: "rdbg", file: "rdbg.log" },
  {
    name: "vscode-debugadapter",
    file: "da.log",
    omitsNumbers: true,
    missing: [2, isOutput],
  },
];

/** Returns the messages that a side sent on the wire. */
export function truthOf(name: string, side: string): readonly Message[] {
  return readFileSync(shared(`logs/${name}/truth.jsonl`)!, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { from: string; message: Message })
    .filter(({ from }) => from === side)
    .map(({ message }) => message);
}
