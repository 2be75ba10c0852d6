import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { EventEmitter } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { test, type TestContext } from "node:test";
import { readProtocol } from "../../../../cli/index.js";
import { LivePage } from "../../../../sessions/show/inspector/live-page.js";
import { servePage } from "../../../../sessions/show/inspector/page-server.js";
import type { LiveUpdate, PageData } from "../../../../sessions/show/inspector/page-data.js";
import { dapRequest, dapResponse } from "../../../support/dap-messages.js";

const dap = await readProtocol("dap", { version: "1.71.0" });

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function get(
  address: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(address, { method, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => (body += text));
      response.on("end", () =>
        resolve({ status: response.statusCode!, headers: response.headers, body }),
      );
    })
      .on("error", reject)
      .end();
  });
}

/** Parses the events that a page received until the end of its session. */
function eventsOf(body: string): readonly { event: string; id: string; data: unknown }[] {
  return body
    .split("\n\n")
    .filter((text) => text !== "")
    .map((text) => {
      const fields = new Map(
        text.split("\n").map((line) => {
          const at = line.indexOf(":");
          return [line.slice(0, at), line.slice(at + 1).trimStart()] as const;
        }),
      );
      const data = fields.get("data") ?? "";
      return {
        event: fields.get("event") ?? "message",
        id: fields.get("id") ?? "",
        data: data === "" ? "" : (JSON.parse(data) as unknown),
      };
    });
}

async function livePage(
  t: TestContext,
  limits?: { readonly rows: number; readonly length: number },
): Promise<{ readonly page: LivePage; readonly address: string }> {
  const page = new LivePage(dap, "x", new Map(), limits);
  const server = await servePage(0, page.handlers);
  t.after(() => server.close());
  return { page, address: server.address };
}

test("a page is served only at its secret address", async (t) => {
  const { page, address } = await livePage(t);
  assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/);
  const { host, port } = new URL(address);
  const shown = await get(address);
  assert.equal(shown.status, 200);
  assert.match(shown.body, /^<!doctype html>/);
  assert.equal(shown.headers["access-control-allow-origin"], undefined);
  assert.deepEqual(
    ["cache-control", "referrer-policy", "x-content-type-options", "x-frame-options"].map(
      (name) => shown.headers[name],
    ),
    ["no-store", "no-referrer", "nosniff", "DENY"],
  );
  assert.equal((await get(address, { host: `localhost:${port}` })).status, 200);
  assert.equal((await get(address, { host: `evil.example:${port}` })).status, 421);
  assert.equal((await get(address, { host: "127.0.0.1" })).status, 421);
  assert.equal((await get(address, { origin: "https://evil.example" })).status, 403);
  assert.equal((await get(address, { origin: "null" })).status, 403);
  assert.equal((await get(address, { origin: `http://${host}` })).status, 200);
  for (const [site, status] of Object.entries({
    "same-origin": 200,
    none: 200,
    "same-site": 403,
    "cross-site": 403,
  }))
    assert.equal((await get(address, { "sec-fetch-site": site })).status, status, site);
  assert.equal((await get(address, {}, "POST")).status, 405);
  const root = `http://${host}/`;
  for (const path of [
    "",
    "events",
    `${"x".repeat(32)}/`,
    `${new URL(address).pathname.slice(1, -2)}/`,
  ])
    assert.equal((await get(`${root}${path}`)).status, 404, path);
  assert.equal((await get(`${address}other`)).status, 404);
  page.end();
});

test("the address that opens the page works only once and contains no token", async (t) => {
  const page = new LivePage(dap, "x", new Map());
  const server = await servePage(0, page.handlers);
  t.after(() => server.close());
  const { address, once } = server;
  assert.notEqual(once, address);
  assert.equal((await get(`${once}events`)).status, 404);
  const first = await get(once);
  assert.deepEqual([first.status, first.headers["location"]], [303, new URL(address).pathname]);
  assert.equal((await get(once)).status, 404);
  assert.equal((await get(address)).status, 200);
});

test("a page's content security policy allows only the page's own script", async (t) => {
  const { address } = await livePage(t);
  const { body } = await get(address);
  const [, script = ""] = /<script>([^]*?)<\/script>/.exec(body)!;
  const digest = createHash("sha256").update(script).digest("base64");
  assert.match(body, new RegExp(`script-src 'sha256-${digest.replaceAll("+", "\\+")}'`));
  assert.doesNotMatch(body, /script-src 'unsafe-inline'/);
});

test("a live page receives messages, findings and the end", async (t) => {
  const { page, address } = await livePage(t);
  page.push({ from: "client", time: 1, message: dapRequest(1, "threads") });
  page.push({ from: "adapter", time: 2, printed: "a line" });
  page.push({ from: "adapter", time: 4.5, message: dapResponse(1, 1, "threads", { threads: [] }) });
  page.find({
    rule: "a.rule",
    severity: "error",
    index: 2,
    from: "adapter",
    label: "response 1 threads",
    pointer: "/body",
    message: "It is wrong",
  });
  page.push({ from: "adapter", time: 5, ended: "exited with 1" });
  page.end();
  const [begin, update, over, ...more] = eventsOf((await get(`${address}events`)).body);
  assert.deepEqual(more, []);
  assert.equal(begin!.event, "begin");
  const { head, blocks } = begin!.data as PageData;
  assert.deepEqual([head.isLive, head.title, blocks], [true, "x", []]);
  const { rows, messages, findings } = update!.data as LiveUpdate;
  assert.deepEqual(
    rows.map(({ kind, from, name, answers, latency, summary, index }) =>
      [kind, from, name, answers, latency, summary, index].join(),
    ),
    [
      "request,0,threads,,,,1",
      "text,1,,,,a line,1",
      "response,1,threads,0,3.5,threads 0,2",
      "end,1,,,,exited with 1,2",
    ],
  );
  assert.deepEqual(
    messages.map((text) => JSON.parse(text) as object),
    [
      dapRequest(1, "threads"),
      { printed: "a line" },
      dapResponse(1, 1, "threads", { threads: [] }),
      { ended: "exited with 1" },
    ],
  );
  assert.deepEqual(
    findings.map(({ row, rule, pointer }) => [row, rule, pointer]),
    [[2, "a.rule", "/body"]],
  );
  assert.deepEqual(over, { event: "over", id: "", data: "" });
  // A page that already has all messages receives only the end event.
  const again = eventsOf((await get(`${address}events`, { "last-event-id": update!.id })).body);
  assert.deepEqual(
    again.map(({ event }) => event),
    ["over"],
  );
});

test("old updates are dropped, and the page reports this", async (t) => {
  const { page, address } = await livePage(t, { rows: 30, length: 1e6 });
  for (let at = 0; at < 100; at++) {
    page.push({ from: "adapter", time: at, message: { seq: at, type: "event", event: `e${at}` } });
    if (at % 10 === 9) page.flush();
  }
  page.end();
  const [begin, ...updates] = eventsOf((await get(`${address}events`)).body);
  assert.deepEqual((begin!.data as PageData).head.notes, ["The first 70 rows are no longer kept."]);
  assert.deepEqual(
    updates.slice(0, -1).flatMap(({ data }) => (data as LiveUpdate).rows.map(({ name }) => name)),
    Array.from({ length: 30 }, (_, at) => `e${70 + at}`),
  );
  const late = eventsOf((await get(`${address}events`, { "last-event-id": "3" })).body);
  assert.equal(late[0]!.event, "begin");
});

test("a reader that does not read its updates is disconnected, while the others still get them", () => {
  const page = new LivePage(dap, "x", new Map());
  const follow = (writableLength: number) => {
    const reader = Object.assign(new EventEmitter(), {
      writableLength,
      written: 0,
      isDestroyed: false,
      setHeader: () => undefined,
      end: () => undefined,
      write: () => void reader.written++,
      destroy: () => void (reader.isDestroyed = true),
    });
    page.handlers.get("events")!({ headers: {} } as IncomingMessage, reader as never);
    return reader;
  };
  const [reading, paused] = [follow(0), follow(64 * 1024 * 1024 + 1)];
  for (let at = 1; at <= 2; at++) {
    page.push({ from: "client", time: at, message: dapRequest(at, "threads") });
    page.flush();
  }
  page.end();
  assert.deepEqual([reading.written, reading.isDestroyed], [3, false]);
  assert.deepEqual([paused.written, paused.isDestroyed], [1, true]);
});
