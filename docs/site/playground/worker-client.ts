import type { Tasks } from "./tasks.js";
import type { Call, Reply } from "./worker.js";

type Argument<Name extends keyof Tasks> = Parameters<Tasks[Name]>[0];
type Result<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>;

interface OpenCall {
  readonly settle: (reply: Reply) => void;
  readonly onProgress: (text: string) => void;
}

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
const open = new Map<number, OpenCall>();
let last = 0;

let settleLoading: (loaded: true | string) => void;

/** Resolves when the tool is loaded: with true, or with the reason why it cannot be loaded. */
export const toolLoading: Promise<true | string> = new Promise((resolve) => {
  settleLoading = resolve;
});

worker.onmessage = ({ data }: MessageEvent<Reply>) => {
  if ("loaded" in data) return settleLoading(data.loaded);
  const call = open.get(data.id);
  if ("progress" in data) call?.onProgress(data.progress);
  else {
    open.delete(data.id);
    call?.settle(data);
  }
};

worker.onerror = ({ message }) => {
  settleLoading(message);
  for (const [id, { settle }] of open) settle({ id, failure: message });
  open.clear();
};

/**
 * Runs a task in the worker.
 *
 * @throws Error with the reason if the task fails.
 */
export function runTask<Name extends keyof Tasks>(
  task: Name,
  argument: Argument<Name>,
  onProgress: (text: string) => void = () => undefined,
): Promise<Result<Name>> {
  const id = ++last;
  return new Promise((resolve, reject) => {
    const settle = (reply: Reply): void => {
      if ("failure" in reply) reject(new Error(reply.failure));
      else if ("result" in reply) resolve(reply.result as Result<Name>);
    };
    open.set(id, { settle, onProgress });
    worker.postMessage({ id, task, argument } satisfies Call);
  });
}
