import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bridge, PathMapper } from "@wirewright/dap/connection";
import { Sampler } from "../../support/sample-values.js";
import { request, scripted, ScriptedTransport } from "../../support/scripted-connection.js";
import { readProtocol } from "../../../cli/index.js";

const dap = await readProtocol("dap");

/**
 * Properties that contain paths. The patterns follow the specification and were written by hand.
 */
const pathPlaces: readonly RegExp[] = [
  /\/(source|sources\/\d+|location)\/path$/,
  /\/modules?(\/\d+)?\/(path|symbolFilePath)$/,
];

describe("a message", () => {
  const local = "/home/me/app";
  const mapper = new PathMapper(
    { [local]: "/app" },
    { launchPaths: ["/program", "/args", "/env", "/deep/0/~1"] },
  );

  /**
   * Copies a message, replacing its paths with a path in the given folder. Returns the copy and the
   * locations of the paths.
   */
  function filled(message: object, folder: string): [object, string[]] {
    const places: string[] = [];
    const walk = (value: unknown, place: string): unknown => {
      if (typeof value === "string") {
        if (pathPlaces.some((pattern) => pattern.test(place))) {
          places.push(place);
          return `${folder}/a.c`;
        }
        return value;
      }
      if (typeof value !== "object" || value === null) return value;
      if (Array.isArray(value)) return value.map((each, index) => walk(each, `${place}/${index}`));
      return Object.fromEntries(
        Object.entries(value).map(([key, each]) => [key, walk(each, `${place}/${key}`)]),
      );
    };
    return [walk(message, "") as object, places];
  }

  test("the mapper maps all sources and modules in every protocol message, and no other strings", () => {
    const sampler = new Sampler(dap, 11);
    const reached = new Set<string>();
    for (const message of dap.messages) {
      const { definition, kind } = message;
      const definitions =
        kind === "request" ? [definition, message.responseDefinition!] : [definition];
      for (const each of definitions) {
        const sample = sampler.sample(each, "all");
        const [there, places] = filled(sample as object, local);
        const [expected] = filled(sample as object, "/app");
        // Skip adapter data, which may look like a source.
        if (places.some((place) => /adapterData|__restart|\/restart\/|\/data\//.test(place)))
          continue;
        const before = structuredClone(there);
        assert.deepEqual(mapper.toAdapter(there), expected, each);
        assert.deepEqual(there, before, each);
        assert.deepEqual(mapper.toClient(expected), there, each);
        if (places.length === 0) assert.equal(mapper.toAdapter(there), there, each);
        else reached.add(each);
      }
    }
    for (const each of [
      "SetBreakpointsRequest",
      "BreakpointEvent",
      "LoadedSourceEvent",
      "ModuleEvent",
      "StackTraceResponse",
      "GotoTargetsRequest",
      "OutputEvent",
      "ScopesResponse",
      "SourceRequest",
      "BreakpointLocationsRequest",
      "LoadedSourcesResponse",
      "ModulesResponse",
      "SetBreakpointsResponse",
      "DisassembleResponse",
      "LocationsResponse",
    ])
      assert.ok(reached.has(each), `${each} is not among ${[...reached].join(", ")}`);
  });

  test("the mapper does not change sources without a path, checksums or adapter data", () => {
    const source = {
      name: `${local}/a.c`,
      sourceReference: 3,
      origin: local,
      adapterData: { path: `${local}/a.c` },
      checksums: [{ algorithm: "MD5", checksum: local }],
    };
    const message = {
      seq: 1,
      type: "response",
      request_seq: 1,
      success: true,
      command: "stackTrace",
      body: { stackFrames: [{ id: 1, name: local, line: 1, column: 1, source }] },
    };
    assert.equal(mapper.toAdapter(message), message);
    const odd = {
      type: "event",
      event: "loadedSource",
      body: { reason: "new", source: { path: 7 } },
    };
    assert.equal(mapper.toAdapter(odd), odd);
  });

  test("the mapper maps the folder and arguments in runInTerminal, and the name of a process", () => {
    const args = ["/usr/bin/python", "/app/a.py", "--log=/app/x", "/application"];
    const run = request(1, "runInTerminal", { cwd: "/app", args, env: { HOME: "/app" } });
    assert.deepEqual(
      mapper.toClient(run),
      request(1, "runInTerminal", {
        cwd: local,
        args: ["/usr/bin/python", `${local}/a.py`, "--log=/app/x", "/application"],
        env: { HOME: "/app" },
      }),
    );
    const started = { seq: 1, type: "event", event: "process", body: { name: "/app/a.out" } };
    assert.deepEqual(mapper.toClient(started), { ...started, body: { name: `${local}/a.out` } });
  });

  test("the mapper maps the paths named by launchPaths in launch, attach, restart and startDebugging", () => {
    const given = {
      program: `${local}/a.py`,
      args: ["-x", `${local}/b`, 3],
      env: { A: local, B: "c" },
      deep: [{ "/": local }],
      cwd: local,
    };
    const wanted = {
      program: "/app/a.py",
      args: ["-x", "/app/b", 3],
      env: { A: "/app", B: "c" },
      deep: [{ "/": "/app" }],
      cwd: local,
    };
    for (const wrap of [
      (each: object) => request(1, "launch", each),
      (each: object) => request(1, "attach", each),
      (each: object) => request(1, "restart", { arguments: each }),
      (each: object) => request(1, "startDebugging", { request: "launch", configuration: each }),
    ]) {
      assert.deepEqual(mapper.toAdapter(wrap(given)), wrap(wanted));
      assert.deepEqual(mapper.toClient(wrap(wanted)), wrap(given));
      const other = wrap({ program: 7, args: null, env: "no", deep: "x", toString: local });
      assert.equal(mapper.toAdapter(other), other);
    }
    const odd = request(1, "launch", null);
    assert.equal(mapper.toAdapter(odd), odd);
    const own = JSON.parse(`{"__proto__": "${local}", "program": "${local}"}`) as object;
    const polluting = new PathMapper(
      { [local]: "/app" },
      { launchPaths: ["/__proto__", "/program"] },
    );
    const { arguments: mapped } = polluting.toAdapter(request(1, "launch", own)) as {
      arguments: object;
    };
    assert.equal(JSON.stringify(mapped), '{"__proto__":"/app","program":"/app"}');
  });

  test("a bridge maps paths in both directions", () => {
    const client = new ScriptedTransport();
    const adapter = new ScriptedTransport();
    const own = bridge(client, adapter, { middleware: [mapper.bridgeMiddleware] });
    const set = (path: string): object =>
      request(1, "setBreakpoints", { source: { path }, breakpoints: [] });
    const loaded = (path: string): object => ({
      seq: 1,
      type: "event",
      event: "loadedSource",
      body: { reason: "new", source: { path } },
    });
    void client.say(set(`${local}/a.c`), set("/b.c"));
    void adapter.say(loaded("/app/a.c"));
    assert.deepEqual(adapter.written, [set("/app/a.c"), set("/b.c")]);
    assert.deepEqual(client.written, [loaded(`${local}/a.c`)]);
    void own.close();
  });

  test("a client's connection maps paths", async () => {
    const { connection, transport } = scripted("client", { middleware: [mapper.clientMiddleware] });
    const seen: unknown[] = [];
    connection.on("loadedSource", ({ source }) => void seen.push(source.path));
    void connection.request("source", { source: { path: `${local}/a.c` }, sourceReference: 0 });
    void transport.say({
      seq: 1,
      type: "event",
      event: "loadedSource",
      body: { reason: "new", source: { path: "/app/b.c" } },
    });
    assert.equal(transport.written[0]!["arguments"].source.path, "/app/a.c");
    assert.deepEqual(seen, [`${local}/b.c`]);
    await connection.close();
  });
});
