import { parentPort, workerData } from "node:worker_threads";
import { FileJudge, type BatchSettings } from "./judge-file.js";

/** A thread that judges the recordings whose names it receives, and answers each with its verdict. */
const judge = FileJudge.open(workerData as BatchSettings);
let last: Promise<unknown> = judge;

parentPort!.on("message", (file: string) => {
  last = last.then(async () => parentPort!.postMessage(await (await judge).judge(file)));
});
