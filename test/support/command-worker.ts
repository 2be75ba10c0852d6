/**
 * A worker thread that communicates with `command-host.ts`, so that the calling thread can wait
 * synchronously.
 */
import { fork, type ChildProcess } from "node:child_process";
import { workerData, type MessagePort } from "node:worker_threads";
import { fromRoot } from "./paths.js";
import type { CommandCall, Outcome } from "./run-command.js";

const { port, answered } = workerData as { port: MessagePort; answered: Int32Array };
let host: ChildProcess | undefined;

port.on("message", (call: CommandCall) => {
  host ??= fork(fromRoot("build/test/support/command-host.js"), {
    execArgv: [],
    // JSON serialisation, the default, cannot carry input made up of bytes.
    serialization: "advanced",
  });
  const asked = host;
  const answer = (outcome: Outcome | undefined): void => {
    asked.removeAllListeners();
    if (outcome === undefined) host = undefined;
    port.postMessage(outcome);
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  };
  asked.once("message", answer).once("exit", () => answer(undefined));
  asked.send(call);
});
