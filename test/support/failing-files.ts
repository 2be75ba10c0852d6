import * as node from "node:fs";
import type { FileSystem } from "../../generator/output/file-system.js";

/** Calls that change the file system. Each of them counts as a step. */
const changing = [
  "copyFileSync",
  "mkdirSync",
  "renameSync",
  "rmdirSync",
  "unlinkSync",
  "writeFileSync",
] as const;

/** Called before each step. May throw to take the step's place. */
export type Accident = (step: {
  readonly number: number;
  readonly name: (typeof changing)[number];
  readonly args: readonly unknown[];
}) => void;

/**
 * Creates a file system that calls `accident` before each step and `onRead` before every other
 * call.
 */
export function withAccidents(
  accident: Accident,
  onRead: () => void = () => undefined,
): FileSystem {
  let number = 0;
  const wrapped = Object.entries(node)
    .filter(([name, value]) => name.endsWith("Sync") && typeof value === "function")
    .map(([name, value]) => {
      const call = value as (...args: unknown[]) => unknown;
      const step = changing.find((each) => each === name);
      return [
        name,
        (...args: unknown[]): unknown => {
          if (step === undefined) onRead();
          else accident({ number: ++number, name: step, args });
          return call(...args);
        },
      ];
    });
  return Object.fromEntries(wrapped) as FileSystem;
}

/**
 * Creates the file system of a process that is killed at a certain step. Later calls have no
 * effect. A file may be left half written.
 */
export function killedAt(step: number): {
  readonly files: FileSystem;
  readonly isDead: () => boolean;
} {
  let isDead = false;
  const die = (): never => {
    throw new Error("killed");
  };
  const files = withAccidents(
    ({ number, name, args }) => {
      if (isDead) die();
      if (number < step) return;
      isDead = true;
      if (name === "writeFileSync") {
        const [path, text] = args as [string, string];
        node.writeFileSync(path, text.slice(0, text.length / 2), { flag: "wx" });
      }
      die();
    },
    () => {
      if (isDead) die();
    },
  );
  return { files, isDead: () => isDead };
}

/** Creates a system error. */
export function systemError(code: string, call: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: made for a test, ${call}`), { code, syscall: call });
}
