/** Runs programs that use the generated package for DBGp: an engine, and the guide's client. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { writeFiles } from "../../support/compile.js";
import { dbgpPackage, description, guide } from "../../support/dbgp-package.js";
import { readPage } from "../../support/markdown-page.js";
import { runCommand, cli } from "../../support/run-command.js";

const { folder, load } = dbgpPackage();

/** Why tests with PHP are skipped, or false if PHP and Xdebug are installed. */
const { stdout: modules } = spawnSync("php", ["-m"], { encoding: "utf8" });
const withoutXdebug = /xdebug/i.test(modules ?? "") ? false : "needs php-cli and php-xdebug";

test("an engine built with the package answers a client built with the package over sockets", async () => {
  const { connect } = (await load("connection.js")) as {
    connect(side: string, transport: object, options?: object): Connected;
  };
  const { nodeTransport } = (await load("node.js")) as {
    nodeTransport(input: object, output: object): object;
  };
  const server = createServer((socket) => {
    const engine = connect("engine", nodeTransport(socket, socket), {
      handlers: {
        status: () => ({ status: "starting", reason: "ok" }),
        stack_get: ({ depth }: { depth?: number } = {}) => ({
          frames: [{ level: depth ?? 0, type: "file", filename: "a.php", lineno: 4, where: "<a>" }],
        }),
        eval: ({ expression }: { expression: string }) => ({
          property: { type: "string", value: `${expression} ]]> &` },
        }),
      },
    });
    engine.notify("init", { fileuri: "a", language: "X", protocol_version: "1.0", appid: "1" });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { connect: open } = await import("node:net");
  const socket = open((server.address() as AddressInfo).port, "127.0.0.1");
  const ide = connect("ide", nodeTransport(socket, socket));
  assert.deepEqual(await ide.once("init"), {
    fileuri: "a",
    language: "X",
    protocol_version: "1.0",
    appid: "1",
  });
  const [status, stack, value, failure] = await Promise.all([
    ide.request("status"),
    ide.request("stack_get", { depth: 1 }),
    ide.request("eval", { expression: "ä" }),
    ide.request("detach").catch((error: Error) => error.message),
  ]);
  assert.deepEqual(
    [status, stack, value, failure],
    [
      { status: "starting", reason: "ok" },
      { frames: [{ level: 1, type: "file", filename: "a.php", lineno: 4, where: "<a>" }] },
      { property: { type: "string", value: "ä ]]> &" } },
      "There is no command detach",
    ],
  );
  await ide.close();
  server.close();
});

interface Connected {
  once(name: string): Promise<unknown>;
  request(name: string, values?: object): Promise<unknown>;
  notify(name: string, body: object): void;
  close(): Promise<void>;
}

test("the guide's client debugs PHP", { skip: withoutXdebug }, () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, "out/dbgp/client.js"), "program.php"],
    { cwd: folder, encoding: "utf8", timeout: 60_000 },
  );
  const shown = readPage(guide).blocks.find(({ language }) => language === "text")!.text;
  // The page omits the error's stack trace.
  const lines = stdout.split("\n");
  const end = lines.findIndex((line) => line.startsWith("RequestError"));
  assert.deepEqual([status, stderr, lines.slice(0, end + 1).join("\n")], [0, "", shown.trimEnd()]);
});

test(
  "a tap between PHP and the client records the session, and lint reports a second response to stop",
  { skip: withoutXdebug },
  async () => {
    const free = async (): Promise<number> => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      server.close();
      await once(server, "close");
      return port;
    };
    const [listen, ide] = [await free(), await free()];
    const out = join(folder, "session.jsonl");
    const tap = spawn(process.execPath, [
      cli,
      "tap",
      "--protocol",
      description,
      "--listen",
      String(listen),
      "--connect",
      String(ide),
      "--out",
      out,
    ]);
    await once(tap.stderr, "data");
    const text = readFileSync(join(folder, "out/dbgp/client.js"), "utf8")
      .replace("server.listen(0", `server.listen(${ide}`)
      .replace("client_port=${port}", `client_port=${listen}`);
    writeFiles(folder, { "out/dbgp/tapped.js": text });
    const client = spawn(process.execPath, [join(folder, "out/dbgp/tapped.js"), "program.php"], {
      cwd: folder,
    });
    assert.deepEqual(await once(client, "exit"), [0, null]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    tap.kill("SIGINT");
    await once(tap, "exit");
    const names = readFileSync(out, "utf8")
      .trim()
      .split("\n")
      .map(
        (line) =>
          JSON.parse(line) as {
            kind?: string;
            from?: string;
            message?: { command?: string; event?: string };
          },
      )
      .filter(({ kind, from }) => kind === "message" && from === "ide")
      .map(({ message }) => message?.command);
    assert.deepEqual(names, [
      "status",
      "feature_get",
      "breakpoint_set",
      "run",
      "stack_get",
      "context_get",
      "eval",
      "property_get",
      "stop",
    ]);
    const { stdout } = runCommand(folder, ["lint", "--protocol", description, out]);
    const found = [...stdout.matchAll(/^(?:error|warning) +(\S+)/gm)].map(([, id]) => id);
    assert.deepEqual(found, ["response.double"]);
  },
);
