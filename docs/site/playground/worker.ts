import { formatInputError, InputError } from "../../../generator/base/input-error.js";
import { contents } from "./mapped-files.js";
import type { Tasks } from "./tasks.js";

/** A request to run a task. */
export interface Call {
  readonly id: number;
  readonly task: keyof Tasks;
  readonly argument: unknown;
}

/** A task's progress, result or failure. */
export type Reply =
  | { readonly id: number; readonly progress: string }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: string }
  /** Whether the tool is loaded, or why it is not. Sent once, before all replies to calls. */
  | { readonly id: 0; readonly loaded: true | string };

const reply = (message: Reply): void => globalThis.postMessage(message);

/**
 * Loads the tasks. The tool reads its files as soon as it is loaded, so the files must exist before
 * that.
 */
const loading = (async () => {
  const response = await fetch(new URL("tool-files.json", globalThis.location.href));
  if (!response.ok) throw new Error(`Cannot load the tool's files: status ${response.status}`);
  const files = (await response.json()) as Readonly<Record<string, string>>;
  for (const [path, text] of Object.entries(files)) contents.set(`/tool/${path}`, text);
  return import("./tasks.js");
})();

loading.then(
  () => reply({ id: 0, loaded: true }),
  (error: unknown) => reply({ id: 0, loaded: failureText(error) }),
);

globalThis.onmessage = async ({ data }: MessageEvent<Call>) => {
  const { id, task, argument } = data;
  try {
    const { createTasks } = await loading;
    const tasks = createTasks((progress) => reply({ id, progress }));
    const run = tasks[task] as (argument: unknown) => Promise<unknown>;
    reply({ id, result: await run(argument) });
  } catch (error) {
    reply({ id, failure: failureText(error) });
  }
};

/** Returns the reason why a task failed, with file names as the visitor knows them. */
function failureText(error: unknown): string {
  if (error instanceof InputError)
    return formatInputError(error).replaceAll(/\/given\/(\w+\/)?/g, "");
  return error instanceof Error ? error.message : String(error);
}
