import type { ViewerProcess } from "./viewer-process.js";

/** The signal that pauses and resumes the display. */
export const pausing = "SIGUSR2";

const controlC = "\u0003";

/**
 * Lets the user pause and resume the display. Returns a function that stops this.
 */
export function controlDisplay(
  viewer: ViewerProcess,
  { hasKeys, say }: { readonly hasKeys: boolean; readonly say: (text: string) => void },
): () => void {
  let isPaused = false;
  const toggle = (): void => {
    isPaused = !isPaused;
    if (isPaused)
      say(hasKeys ? "paused: press p to continue" : `paused: send ${pausing} to continue`);
    viewer.pause(isPaused);
  };
  const press = (key: Buffer): void => {
    if (key.toString() === "p" || key.toString() === " ") toggle();
    // In raw mode, the terminal delivers Ctrl+C as a character.
    else if (key.toString() === controlC) process.kill(process.pid, "SIGINT");
  };
  const hasSignal = process.platform !== "win32";
  if (hasSignal) process.on(pausing, toggle);
  if (hasKeys) {
    process.stdin.setRawMode(true);
    process.stdin.on("data", press);
    process.stdin.unref();
  }
  return () => {
    if (hasSignal) process.off(pausing, toggle);
    if (!hasKeys) return;
    process.stdin.setRawMode(false);
    process.stdin.off("data", press).pause();
  };
}
