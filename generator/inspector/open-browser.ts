import { spawn } from "node:child_process";

/** The program that opens an address or a file, by platform. */
const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["explorer.exe"],
};

/**
 * Opens an address or a file in the browser of the user.
 *
 * @param onFailed Called if no program can open it.
 */
export function openBrowser(address: string, onFailed: () => void): void {
  const [command, ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", onFailed);
  child.unref();
}
