import { Worker } from "node:worker_threads";
import { FileJudge, type BatchSettings, type FileVerdict } from "./judge-file.js";

/**
 * Number of files assigned to a thread at a time, so that it never has to wait for the next one.
 */
const filesAhead = 2;

/**
 * Checks recordings in parallel.
 *
 * @param threads Number of threads. If 1, only the calling thread is used.
 * @param onVerdict Called with each verdict and the index of its file, in any order.
 */
export async function judgeFiles(
  files: readonly string[],
  settings: BatchSettings,
  threads: number,
  onVerdict: (verdict: FileVerdict, place: number) => void,
): Promise<void> {
  const count = Math.min(threads, files.length);
  if (count <= 1) {
    const judge = await FileJudge.open(settings);
    for (const [place, file] of files.entries()) onVerdict(await judge.judge(file), place);
    return;
  }
  let next = 0;
  const workers: Worker[] = [];
  try {
    await Promise.all(
      Array.from({ length: count }, () => {
        const worker = new Worker(new URL("./judge-thread.js", import.meta.url), {
          workerData: settings,
        });
        workers.push(worker);
        return judgeIn(worker, () => (next < files.length ? next++ : undefined));
      }),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  function judgeIn(worker: Worker, take: () => number | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: number[] = [];
      const send = (): void => {
        const place = take();
        if (place === undefined) {
          if (waiting.length === 0) resolve();
          return;
        }
        waiting.push(place);
        worker.postMessage(files[place]);
      };
      worker.on("message", (verdict: FileVerdict) => {
        onVerdict(verdict, waiting.shift()!);
        send();
      });
      worker.on("error", reject);
      worker.on("exit", (code) => reject(new Error(`A worker thread exited with code ${code}`)));
      for (let count = 0; count < filesAhead; count++) send();
    });
  }
}
