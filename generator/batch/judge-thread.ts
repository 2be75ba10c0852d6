import { parentPort, workerData } from "node:worker_threads";
import { FileJudge, type BatchSettings } from "./judge-file.js";

/** A worker thread. It receives names of recordings, and replies with a verdict for each. */
const judge = FileJudge.open(workerData as BatchSettings);
let last: Promise<unknown> = judge;

parentPort!.on("message", (file: string) => {
  last = last.then(async () => parentPort!.postMessage(await (await judge).judge(file)));
});
