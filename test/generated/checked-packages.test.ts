import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { generate } from "../../cli/index.js";
import type { AnyConnectOptions, ConnectionCore, inlineTransports } from "../../runtime/index.js";
import { withFolder } from "../support/compile.js";
import { sourceCompilers } from "../support/compilers.js";
import { own } from "../support/configuration-packages.js";
import { JointCompilation } from "../support/joint-compilation.js";
import { loadPackage } from "../support/load-package.js";
import { ScriptedTransport } from "../support/scripted-connection.js";
import { description, object, writeProtocol } from "../support/table-protocol.js";

/** A package's `connect`, without its types. */
interface Loaded {
  readonly connect: (
    side: string,
    transport: unknown,
    options?: AnyConnectOptions,
  ) => ConnectionCore;
  readonly inlineTransports: typeof inlineTransports;
}

const warehouse = {
  ...description,
  name: "warehouse",
  title: "Warehouse",
  messages: {
    by: "table",
    error: "Failure",
    requests: { take: { docs: "Takes goods.", params: "Take", result: "Taken" } },
    events: { low: { docs: "Few goods are left.", params: "Taken" } },
  },
  roles: ["client", "store"],
  conversation: {
    failures: {
      text: ["/error/message"],
      unknown: { error: { code: -32601, message: "unknown" } },
      failed: { error: { code: -32603, message: "$text" } },
      invalid: { error: { code: -32602, message: "$text" } },
      cancelled: { error: { code: -32800, message: "cancelled" } },
    },
  },
};

const types = {
  Take: object({ name: { type: "string" }, amount: { type: "integer", minimum: 0 } }, [
    "name",
    "amount",
  ]),
  Taken: object({ left: { type: "integer" } }, ["left"]),
  Failure: object({ code: { type: "integer" }, message: { type: "string" } }, ["code", "message"]),
};

test("a connection of one's own protocol keeps what its types promise", async () => {
  await withFolder(async (folder) => {
    writeProtocol(folder, warehouse, { "1.0.0": types });
    const generated = await generate(folder, { only: ["connection"] });
    const { connect, inlineTransports } = (await loadPackage(generated, [
      "connection.ts",
    ])) as unknown as Loaded;
    const [near, far] = inlineTransports();
    const taken: unknown[] = [];
    const problems: unknown[] = [];
    let left: unknown = 3;
    const store = connect("store", far, {
      handlers: {
        take: (order: object) => {
          taken.push(order);
          return { left };
        },
      },
    });
    const client = connect("client", near, {
      onProblem: ({ code, message }) => void problems.push([code, message]),
    });
    const low: unknown[] = [];
    client.on("low", (body) => void low.push(body));

    assert.deepEqual(await client.request("take", { name: "nut", amount: 2 }), { left: 3 });
    const message =
      'The request "take" is invalid: `/params/name`: expected a string, received 5';
    await assert.rejects(client.request("take", { name: 5, amount: -1 }), {
      code: "ERR_REQUEST_FAILED",
      message,
      response: { jsonrpc: "2.0", id: 2, error: { code: -32602, message } },
    });
    left = "lots";
    await assert.rejects(client.request("take", { name: "nut", amount: 0 }), {
      code: "ERR_RESULT",
      message:
        'The response to "take" is invalid: `/result/left`: expected an integer, received "lots"',
    });
    store.notify("low", { left });
    store.notify("low", { left: 1 });
    left = 1;
    await client.request("take", { name: "nut", amount: 1 });
    assert.deepEqual(taken, [
      { name: "nut", amount: 2 },
      { name: "nut", amount: 0 },
      { name: "nut", amount: 1 },
    ]);
    assert.deepEqual(low, [{ left: 1 }]);
    assert.deepEqual(problems, [
      [
        "ERR_INVALID_MESSAGE",
        'The event "low" is invalid: `/params/left`: expected an integer, received "lots"',
      ],
    ]);
    await client.close();

    const [strictNear, strictFar] = inlineTransports();
    connect("store", strictFar, { checkIncoming: "strict", handlers: { take: () => ({ left }) } });
    const strict = connect("client", strictNear);
    await assert.rejects(strict.request("take", { name: 5, amount: -1 }), {
      message: `${message}; \`/params/amount\`: expected an integer from 0, received -1`,
    });
    await strict.close();
  });
});

test("packages of protocols without events, requests, messages or results compile", async () => {
  const { requests, events } = warehouse.messages;
  const compilation = new JointCompilation(
    sourceCompilers.filter(({ version }) => version === "7"),
  );
  await withFolder(async (folder) => {
    for (const [name, messages] of Object.entries({
      silent: { requests, events: {} },
      deaf: { requests: {}, events },
      mute: { requests: {}, events: {} },
      plain: { requests: { take: { docs: "Takes goods." } }, events: {} },
    })) {
      const described = { ...warehouse, messages: { ...warehouse.messages, ...messages } };
      writeProtocol(join(folder, name), described, { "1.0.0": types });
      await compilation.add(name, (await generate(join(folder, name))).files);
    }
  });
  assert.equal(compilation.packages, 4);
  await compilation.end();
});

test("a package with launch configurations checks the attributes that they describe", async () => {
  const { connect } = (await loadPackage(await generate("dap", { configuration: own }), [
    "connection.ts",
  ])) as unknown as Loaded;
  const text =
    'The request "launch" is invalid: `/arguments/program`: expected a string of at least 1 character, received nothing';
  const unknown = { program: "a", unknown: 1 };
  const unknownText =
    'The request "launch" is invalid: `/arguments/unknown`: expected no such field, received 1';
  const outcomes = {
    wire: [[unknown], [text, undefined], []],
    strict: [[], [text, unknownText], []],
    report: [[{}, unknown], [undefined, undefined], [text]],
    off: [[{}, unknown], [undefined, undefined], []],
  } as const;
  for (const word of ["wire", "strict", "report", "off"] as const) {
    const transport = new ScriptedTransport();
    const launched: unknown[] = [];
    const problems: unknown[] = [];
    connect("adapter", transport, {
      checkIncoming: word,
      handlers: { launch: (given: unknown) => void launched.push(given) },
      onProblem: ({ message }) => void problems.push(message),
    });
    const launch = (seq: number, given: object): object => ({
      seq,
      type: "request",
      command: "launch",
      arguments: given,
    });
    void transport.say(launch(1, {}), launch(2, unknown));
    const written = transport.written.map(({ message }) => message as unknown);
    assert.deepEqual([launched, written, problems], outcomes[word]);
  }
});
