import { parentPort, workerData } from "node:worker_threads";
import { FileJudge, type BatchSettings } from "./judge-file.js";

/**
 * The entry point of a worker thread. It receives recording names and replies with a verdict for
 * each.
 */
const judge = FileJudge.open(workerData as BatchSettings);
let last: Promise<unknown> = judge;

parentPort!.on("message", (file: string) => {
  last = last.then(async () => parentPort!.postMessage(await (await judge).judge(file)));
});
