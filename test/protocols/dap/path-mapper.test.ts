import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bridge, PathMapper } from "../../../generated/dap/connection.js";
import { readProtocol } from "../../../generator/index.js";
import { randomNumbers } from "../../support/replay.js";
import { Sampler } from "../../../tools/shared/sample-values.js";
import { request, scripted, ScriptedTransport } from "../../support/scripted-connection.js";

const dap = await readProtocol("dap");

describe("a path", () => {
  const folders = {
    "/home/me/app": "/app",
    "/home/me/app/lib": "/usr/lib/app",
    "C:\\Work": "/work",
    "D:/data": "E:\\Data",
    "\\\\Server\\share": "/mnt/share",
    "/root": "Z:\\",
    "file:///home/me/ä%20b": "/umlaut",
  };
  const mapper = new PathMapper(folders);
  const both: readonly (readonly [client: string, adapter: string])[] = [
    ["/home/me/app/a.c", "/app/a.c"],
    ["/home/me/app", "/app"],
    ["/home/me/app/", "/app/"],
    ["/home/me/app//a.c", "/app//a.c"],
    ["/home/me/app/lib/b.c", "/usr/lib/app/b.c"],
    ["/home/me/app/libs/b.c", "/app/libs/b.c"],
    ["C:\\Work\\src\\a b.c", "/work/src/a b.c"],
    ["D:/data/x/y", "E:\\Data\\x\\y"],
    ["\\\\Server\\share\\a", "/mnt/share/a"],
    ["/root/a/b", "Z:\\a\\b"],
    ["/home/me/ä b/c d", "/umlaut/c d"],
    ["file:///home/me/app/a%20b.c", "file:///app/a%20b.c"],
    ["file:///C:/Work/%C3%A4.c", "file:///work/%C3%A4.c"],
    ["file:///D:/data/x", "file:///E:/Data/x"],
    ["file:///home/me/ä%20b/%63", "file:///umlaut/%63"],
    // Only whole names count.
    ["/home/me/application/a.c", "/home/me/application/a.c"],
    ["/home/me/ap", "/home/me/ap"],
    ["C:\\Workshop\\a", "C:\\Workshop\\a"],
    // What is not an absolute path.
    ...["home/me/app/a.c", "", "a.c", "C:", "C:a", "--path=/home/me/app/a.c"].map(same),
    ...["http://home/me/app", "untitled:/home/me/app", "<eval>", "file:///%/me"].map(same),
  ];

  function same(text: string): readonly [string, string] {
    return [text, text];
  }

  for (const [client, adapter] of both)
    test(`${client} is ${adapter} to the adapter, and back`, () => {
      assert.equal(mapper.pathToAdapter(client), adapter);
      assert.equal(mapper.pathToClient(adapter), client);
    });

  const toAdapter: readonly (readonly [client: string, adapter: string])[] = [
    ["c:/work/Src/a.c", "/work/Src/a.c"],
    ["c:\\WORK\\a.c", "/work/a.c"],
    ["/HOME/me/app/a.c", "/HOME/me/app/a.c"],
    ["file:///c%3A/work/a.c", "file:///work/a.c"],
    ["FILE:///home/me/app/a.c", "file:///app/a.c"],
    ["file://server/share/a", "file:///mnt/share/a"],
    ["file:///home/me/%61pp/a.c", "file:///app/a.c"],
  ];
  for (const [client, adapter] of toAdapter)
    test(`${client} is ${adapter} to the adapter`, () => {
      assert.equal(mapper.pathToAdapter(client), adapter);
    });

  test("a folder may be a whole disk", () => {
    const disk = new PathMapper({ "C:": "/c", "/": "/host" });
    for (const [client, adapter] of [
      ["C:\\a", "/c/a"],
      ["C:\\", "/c/"],
      ["/a", "/host/a"],
      ["/", "/host/"],
      ["file:///C:/a", "file:///c/a"],
      ["file:///a", "file:///host/a"],
    ] as const) {
      assert.equal(disk.pathToAdapter(client), adapter);
      assert.equal(disk.pathToClient(adapter), client);
    }
  });

  test("folders and pointers that cannot be used are refused", () => {
    const refusals: readonly (readonly [folders: Record<string, string>, text: string])[] = [
      [{ src: "/a" }, 'Cannot map the folder "src": expected an absolute path or a file URI'],
      [{ "/a": "" }, 'Cannot map the folder "": expected an absolute path or a file URI'],
      [
        { "file:///%": "/a" },
        'Cannot map the folder "file:///%": expected an absolute path or a file URI',
      ],
      [{ "/a": "/x", "/b": "/x/" }, 'Cannot map the folder "/x/" twice'],
      [{ "C:\\a": "/x", "c:/A": "/y" }, 'Cannot map the folder "c:/A" twice'],
    ];
    for (const [given, message] of refusals)
      assert.throws(() => new PathMapper(given), { name: "TypeError", message });
    assert.throws(() => new PathMapper({}, { launchPaths: ["program"] }), {
      message: 'Cannot use "program": expected a JSON Pointer',
    });
  });

  test("random paths come back as they were", () => {
    const random = randomNumbers(7);
    const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
    const names = ["a", "b c", "ä😀", "lib", "app", "..", ".", "%", "x%2Fy", "#?", "'\"", "-"];
    const roots = [
      "/home/me/app",
      "/home/me/app/lib",
      "C:\\Work",
      "\\\\Server\\share",
      "/other",
      "D:/data",
      "Q:\\q",
    ];
    let changed = 0;
    for (let round = 0; round < 20_000; round++) {
      const root = pick(roots);
      const separator = root.includes("\\") ? "\\" : "/";
      const rest = Array.from({ length: random(4) }, () => pick(names));
      const path = [root, ...rest].join(separator);
      const uri = `file:///home/me/${["app", ...rest.map(encodeURIComponent)].join("/")}`;
      for (const each of [path, uri]) {
        const there = mapper.pathToAdapter(each);
        assert.equal(mapper.pathToClient(there), each, there);
        if (there !== each) changed++;
      }
    }
    assert.ok(changed > 20_000);
  });
});

/** The properties that hold paths, found in the specification by hand: by name and what it is in. */
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

  /** A copy whose texts are all paths in a folder, and the places where that is one. */
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

  test("every message of the protocol: sources and modules are mapped wherever they are, and nothing else", () => {
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
        // A source of the adapter's own may look like one of the protocol.
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
      ...["SetBreakpointsRequest", "BreakpointEvent", "LoadedSourceEvent", "ModuleEvent"],
      ...["StackTraceResponse", "GotoTargetsRequest", "OutputEvent", "ScopesResponse"],
      ...[
        "SourceRequest",
        "BreakpointLocationsRequest",
        "LoadedSourcesResponse",
        "ModulesResponse",
      ],
      ...["SetBreakpointsResponse", "DisassembleResponse", "LocationsResponse"],
    ])
      assert.ok(reached.has(each), `${each} is not among ${[...reached].join(", ")}`);
  });

  test("a source without a path, checksums and data of the adapter stay as they are", () => {
    const source = {
      ...{ name: `${local}/a.c`, sourceReference: 3, origin: local },
      ...{
        adapterData: { path: `${local}/a.c` },
        checksums: [{ algorithm: "MD5", checksum: local }],
      },
    };
    const message = {
      ...{ seq: 1, type: "response", request_seq: 1, success: true, command: "stackTrace" },
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

  test("the folder and the arguments of runInTerminal, and the name of a process", () => {
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

  test("what launchPaths names, in launch, attach, restart and startDebugging", () => {
    const given = {
      ...{ program: `${local}/a.py`, args: ["-x", `${local}/b`, 3], env: { A: local, B: "c" } },
      ...{ deep: [{ "/": local }], cwd: local },
    };
    const wanted = {
      ...{ program: "/app/a.py", args: ["-x", "/app/b", 3], env: { A: "/app", B: "c" } },
      ...{ deep: [{ "/": "/app" }], cwd: local },
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

  test("paths are mapped in a bridge, both ways", () => {
    const client = new ScriptedTransport();
    const adapter = new ScriptedTransport();
    const own = bridge(client, adapter, { middleware: [mapper.bridgeMiddleware] });
    const set = (path: string): object =>
      request(1, "setBreakpoints", { source: { path }, breakpoints: [] });
    const loaded = (path: string): object => ({
      ...{ seq: 1, type: "event", event: "loadedSource" },
      body: { reason: "new", source: { path } },
    });
    void client.say(set(`${local}/a.c`), set("/b.c"));
    void adapter.say(loaded("/app/a.c"));
    assert.deepEqual(adapter.written, [set("/app/a.c"), set("/b.c")]);
    assert.deepEqual(client.written, [loaded(`${local}/a.c`)]);
    void own.close();
  });

  test("paths are mapped in the connection of a client", async () => {
    const { connection, transport } = scripted("client", { middleware: [mapper.clientMiddleware] });
    const seen: unknown[] = [];
    connection.on("loadedSource", ({ source }) => void seen.push(source.path));
    void connection.request("source", { source: { path: `${local}/a.c` }, sourceReference: 0 });
    void transport.say({
      ...{ seq: 1, type: "event", event: "loadedSource" },
      body: { reason: "new", source: { path: "/app/b.c" } },
    });
    assert.equal(transport.written[0]!["arguments"].source.path, "/app/a.c");
    assert.deepEqual(seen, [`${local}/b.c`]);
    await connection.close();
  });
});
