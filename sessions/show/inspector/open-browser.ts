import { spawn } from "node:child_process";

/** The command that opens a URL or a file, by platform. */
const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["explorer.exe"],
};

/**
 * Opens a URL or a file in the user's browser.
 *
 * @param onFailed Called if no command can open it.
 */
export function openBrowser(address: string, onFailed: () => void): void {
  const [command, ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", onFailed);
  child.unref();
}
