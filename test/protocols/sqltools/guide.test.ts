import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  connect,
  inlineTransports,
  type Connection,
  type RequestError,
} from "@wirewright/sqltools/connection";
import { createDialect } from "@wirewright/sqltools/dialects";
import { errorCodes } from "@wirewright/sqltools";
import { isValid } from "@wirewright/sqltools/validators";

type Fields = Readonly<Record<string, unknown>>;

/** Connects two sides that use the guide's dialect, and records all messages. */
function pair(handlers: Parameters<typeof connect<"service">>[2]): {
  readonly client: Connection<"client">;
  readonly service: Connection<"service">;
  readonly written: Fields[];
} {
  const written: Fields[] = [];
  const [one, other] = inlineTransports();
  for (const { messages } of [one, other]) {
    const write = messages!.write.bind(messages);
    messages!.write = (text: string) => {
      written.push(JSON.parse(text) as Fields);
      return write(text);
    };
  }
  const client = connect("client", one, { dialect: createDialect("guide") });
  const service = connect("service", other, { dialect: createDialect("guide"), ...handlers });
  return { client, service, written };
}

test("the guide's dialect writes a sequence number into every message, and writes failures as strings", async () => {
  const { client, service, written } = pair({
    handlers: {
      threads: () => ({ threads: [{ id: 1, name: "Main Thread" }] }),
      evaluate: () => {
        throw new Error("No such thing");
      },
    },
    onProblem: () => undefined,
  });
  await client.request("threads");
  const error = await client
    .request("evaluate", { expression: "i", frameId: 1 })
    .catch((thrown: RequestError) => thrown);
  assert.equal((error as RequestError).message, "No such thing");
  service.notify("initialized");
  await service.flushed();
  assert.deepEqual(written, [
    { seq: 1, type: "request", command: "threads" },
    {
      seq: 0,
      type: "response",
      request_seq: 1,
      command: "threads",
      success: true,
      body: { threads: [{ id: 1, name: "Main Thread" }] },
    },
    { seq: 2, type: "request", command: "evaluate", arguments: { expression: "i", frameId: 1 } },
    {
      seq: 0,
      type: "response",
      request_seq: 2,
      command: "evaluate",
      success: false,
      message: "No such thing",
      body: null,
    },
    { seq: 0, type: "event", event: "initialized", body: null },
  ]);
  await Promise.all([client.close(), service.close()]);
});

test("the guide's dialect reads failures that contain a string, the service's object, or no text", () => {
  const failure = { seq: 0, type: "response", request_seq: 1, command: "evaluate", success: false };
  const read = (dialect: "guide" | "seq", message: object): unknown =>
    createDialect(dialect).read(message);
  const text = read("guide", { ...failure, message: "No such thing", body: null });
  const none = read("guide", { ...failure, message: null, body: null });
  const object = read("seq", { ...failure, message: { code: 5, message: "m", data: null } });
  assert.deepEqual(
    [text, none, object],
    [
      { jsonrpc: "2.0", id: 1, error: { code: 0, message: "No such thing" } },
      { jsonrpc: "2.0", id: 1, error: { code: 0, message: "" } },
      { jsonrpc: "2.0", id: 1, error: { code: 5, message: "m", data: null } },
    ],
  );
  for (const each of [text, none, object]) assert.ok(isValid(each));
});

test("if a request has no response, notify() sends it with an id, and the service does not respond", async () => {
  const opened: unknown[] = [];
  const { client, service, written } = pair({
    handlers: { open: (file) => void opened.push(file), threads: () => ({ threads: [] }) },
  });
  client.notify("open", { file: "/a.ps1" });
  // A request that has no handler does not get a response either.
  client.notify("pause");
  await client.request("threads");
  assert.deepEqual(opened, [{ file: "/a.ps1" }]);
  assert.deepEqual(
    written.map(({ type, command, seq }) => [type, command, seq]),
    [
      ["request", "open", 1],
      ["request", "pause", 2],
      ["request", "threads", 3],
      ["response", "threads", 0],
    ],
  );
  await assert.rejects(
    client.request("open" as never, { file: "/a.ps1" } as never),
    new TypeError('Cannot request "open": it has no response. Use notify instead'),
  );
  await Promise.all([client.close(), service.close()]);
});

test("acceptsPartial: the caller receives a partial result that arrives after a cancellation", async () => {
  const [one, other] = inlineTransports();
  const service = connect("service", other, {
    handlers: {
      "connection/listdatabases": (_, { signal }) =>
        new Promise((resolve, reject) =>
          signal.addEventListener("abort", () => {
            if (names.length > 0) resolve({ databaseNames: names });
            else reject(new Error("cancelled"));
          }),
        ),
    },
  });
  const client = connect("client", one);
  let names = ["master"];
  const ask = async (acceptsPartial: boolean): Promise<unknown> => {
    const control = new AbortController();
    const { signal } = control;
    const asked = client.request(
      "connection/listdatabases",
      { ownerUri: "a" },
      { signal, acceptsPartial },
    );
    await sleep(1);
    control.abort(new Error("enough"));
    return asked.catch((error: Error) => error.message);
  };
  assert.deepEqual(await ask(true), { databaseNames: ["master"] });
  assert.equal(await ask(false), "enough");
  names = [];
  assert.equal(await ask(true), "enough");
  await Promise.all([client.close(), service.close()]);
});

test("acceptsPartial: the wait for a partial result ends at the timeout", async () => {
  const [one, other] = inlineTransports();
  const service = connect("service", other, {
    handlers: { "connection/listdatabases": () => new Promise(() => undefined) },
  });
  const client = connect("client", one);
  const control = new AbortController();
  const asked = client.request(
    "connection/listdatabases",
    { ownerUri: "a" },
    { signal: control.signal, acceptsPartial: true, timeoutMs: 50 },
  );
  control.abort(new Error("enough"));
  await assert.rejects(asked, { message: "enough" });
  await Promise.all([client.close(), service.close({ graceMs: 0 })]);
});

test("the package exports the error codes as constants", () => {
  assert.deepEqual(errorCodes, {
    ParseError: -32700,
    InvalidRequest: -32600,
    MethodNotFound: -32601,
    InvalidParams: -32602,
    InternalError: -32603,
    ServerErrorStart: -32099,
    ServerErrorEnd: -32000,
    ServerNotInitialized: -32001,
  });
  const parseError: -32700 = errorCodes.ParseError;
  // @ts-expect-error: The type of the constant is its value.
  const other: -32600 = errorCodes.ParseError;
  assert.deepEqual([parseError, other], [-32700, -32700]);
});

test("positions count from 0 in JSON-RPC, and from 1 in the older messages", () => {
  const hover = (line: number): object => ({
    jsonrpc: "2.0",
    id: 1,
    method: "textDocument/hover",
    params: { textDocument: { uri: "file:///a" }, position: { line, character: 0 } },
  });
  const change = (line: number, offset: number): object => ({
    jsonrpc: "2.0",
    id: 1,
    method: "completions",
    params: { file: "/a.ps1", line, offset },
  });
  assert.deepEqual(
    [hover(0), hover(-1), change(1, 1), change(0, 1), change(1, -3)].map((each) => isValid(each)),
    [true, false, true, false, false],
  );
});

test("an unknown method is answered with the error code MethodNotFound", async () => {
  const [one, other] = inlineTransports();
  const service = connect("service", other, { onProblem: () => undefined });
  const client = connect("client", one);
  const error = await client
    .requestCustom("no/such/method")
    .catch((thrown: RequestError) => thrown);
  assert.equal((error as RequestError).response?.error.code, errorCodes.MethodNotFound);
  await Promise.all([client.close(), service.close()]);
});
