import { availableParallelism } from "node:os";
import { run } from "node:test";
import { spec } from "node:test/reporters";

/**
 * Runs test files, starting them in the given order, and prints their results. Failures set the
 * exit code.
 *
 * `node --test` would leave one processor unused and start files in alphabetical order. While a
 * test waits for a process or a timeout, its processor can run other files.
 */
export function runFiles(files: readonly string[]): void {
  run({ files, concurrency: availableParallelism() * 2 })
    .on("test:fail", ({ todo }) => {
      if (todo === undefined || todo === false) process.exitCode = 1;
    })
    .compose(new spec())
    .pipe(process.stdout);
}
