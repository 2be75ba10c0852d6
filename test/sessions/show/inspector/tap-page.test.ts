import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { skipWithoutBrowser, withPage } from "../../../support/headless-browser.js";
import { framed } from "../../../support/framed-text.js";
import { cli } from "../../../support/run-command.js";

/** An adapter that answers every request and prints to stderr. */
const adapter = `
let seq = 1;
let rest = "";
const send = (message) => {
  const text = JSON.stringify({ seq: seq++, ...message });
  process.stdout.write("Content-Length: " + Buffer.byteLength(text) + "\\r\\n\\r\\n" + text);
};
console.error("it begins");
process.stdin.on("data", (bytes) => {
  rest += bytes;
  for (let match; (match = /^Content-Length: (\\d+)\\r\\n\\r\\n/.exec(rest)) && rest.length >= match[0].length + Number(match[1]); ) {
    const end = match[0].length + Number(match[1]);
    const { seq: request_seq, command } = JSON.parse(rest.slice(match[0].length, end));
    rest = rest.slice(end);
    send({ type: "response", request_seq, command, success: true, body: command === "threads" ? { threads: [{ id: "one" }] } : {} });
    if (command === "disconnect") process.exit(0);
  }
});
`;

test("tap --ui shows a session while it is running", { skip: skipWithoutBrowser }, async (t) => {
  const child: ChildProcess = spawn(
    process.execPath,
    [cli, "tap", "--ui", "--quiet", "--", process.execPath, "-e", adapter],
    { stdio: ["pipe", "ignore", "pipe"] },
  );
  t.after(() => child.kill());
  const exited = once(child, "exit");
  let printed = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (printed += text));
  while (!/^page: (\S+)$/m.test(printed)) await once(child.stderr!, "data");
  const [, address = ""] = /^page: (\S+)$/m.exec(printed)!;
  const say = (seq: number, command: string): void =>
    void child.stdin!.write(
      framed(JSON.stringify({ seq, type: "request", command, arguments: {} })),
    );
  say(1, "initialize");
  await withPage(address, async (evaluate) => {
    const until = async (code: string, wanted: unknown): Promise<void> => {
      for (const from = Date.now(); ;) {
        const found = await evaluate(code);
        if (JSON.stringify(found) === JSON.stringify(wanted)) return;
        if (Date.now() - from > 20_000) assert.deepEqual(found, wanted);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const names = `[...document.querySelectorAll("#list .what b")].map((each) => each.innerText)`;
    await until(names, ["initialize", "text", "initialize"]);
    say(2, "threads");
    await until(names, ["initialize", "text", "initialize", "threads", "threads"]);
    await until(`[...document.querySelectorAll("#list .mark .error")].length > 0`, true);
    await evaluate(`[...document.querySelectorAll("#list [data-row]")].at(-1).click()`);
    await until(`document.querySelector("article h2")?.innerText`, "response threads 2");
    await until(`document.querySelector(".value.string")?.innerText`, `"response"`);
    say(3, "disconnect");
    await until(`document.querySelector(".live")?.innerText`, "over");
    await evaluate(`document.getElementById("tab-list")?.click()`);
    await until(`${names}.slice(-3)`, ["disconnect", "disconnect", "end"]);
  });
  child.stdin!.end();
  assert.deepEqual(await exited, [0, null]);
});
