/** Tests options and other arguments with unknown parts, which JavaScript code can pass. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PassThrough } from "node:stream";
import * as adapters from "@wirewright/dap/adapter";
import * as connections from "@wirewright/dap/connection";
import { nodeTransport } from "@wirewright/dap/node";
import * as testing from "@wirewright/dap/testing";
import * as tool from "../../cli/index.js";

const open = (): connections.Transport => connections.inlineTransports()[0];
const client = (options: object = {}): connections.Connection<"client"> =>
  connections.connect("client", open(), options);
const adapter = (): connections.Connection<"adapter"> => connections.connect("adapter", open());
const notify = (name: string): void =>
  (adapter() as object as { notify: (name: string) => void }).notify(name);
const bytes = (): connections.Transport => nodeTransport(new PassThrough(), new PassThrough());
const nothing = (): void => undefined;
const define = (definition: object): unknown =>
  adapters.defineAdapter({ handlers: { launch: nothing }, ...definition });
const faults = (...all: readonly object[]): unknown => testing.withFaults(bytes(), all as never);
const bridged = (middleware: object): unknown =>
  connections.bridge(bytes(), bytes(), { middleware: [middleware] } as never);

const calls: readonly (readonly [call: () => unknown, message: RegExp])[] = [
  [() => client({ handlers: { runInTermnal: nothing } }), /"handlers" .*mean "runInTerminal"\?\)/],
  [() => client({ handlers: { threads: nothing } }), /"handlers" must be an object without "thr/],
  [() => client({ handlers: { runInTerminal: 5 } }), /in which "runInTerminal" is a function/],
  [() => client({ middleware: [{ beforSend: nothing }] }), /each .*did you mean "beforeSend"\?\)/],
  [() => client({ middleware: [{ beforeSend: 5 }] }), /in which "beforeSend" is a function/],
  [() => client().addMiddleware({ afterRecieve: nothing } as never), /mean "afterReceive"\?\)/],
  [() => client().handle("runInTermnal" as never, nothing as never), /mean "runInTerminal"\?\)/],
  [() => client().handle("runInTerminal", 5 as never), /in which "runInTerminal" is a function/],
  [() => client().on("stopped", 5 as never), /^on: the option "listener" must be a function/],
  [() => client().on("stoped" as never, nothing), /^on: the adapter .* mean "stopped"\?\)\. Use onC/],
  [() => client().on("next" as never, nothing), /^on: the adapter does not send "next"/],
  [() => client().events("stoped" as never), /^events: the adapter does not send "stoped" \(did you/],
  [() => adapter().on("stopped" as never, nothing), /^on: the client does not send "stopped"\. Use/],
  [() => notify("stoped"), /^notify: the adapter .* Use notifyCustom for mess/],
  [() => notify("toString"), /^notify: the adapter does not send "toString"\. /],
  [() => bridged({ fromAdaptor: nothing }), /^bridge: .*did you mean "fromAdapter"\?\)/],
  [() => connections.recordMessages("adaptor" as never, nothing), /did you mean "adapter"\?\)/],
  [() => define({ positions: { lineStartAt1: false } }), /Did you mean "linesStartAt1"\?$/],
  [() => define({ positions: { linesStartAt1: 0 } }), /positions: .* must be true or false, not 0$/],
  [() => define({ positions: { pathFormat: "url" } }), /one of "path", "uri" \(did you mean "uri"/],
  [() => new adapters.ClientPositions({}, { columnStartAt1: true } as never), /"columnsStartAt1"/],
  [() => faults({ do: "dorp" }), /^withFaults: .*one of "drop", .*did you mean "drop"\?\)/],
  [() => faults({ do: "drop" }, { do: "drop", nmae: "x" }), /"nmae"\. Did you mean "name"\?$/],
  [() => faults({ do: "drop", from: "adaptr" }), /did you mean "adapter"\?\)/],
  [() => testing.scriptAdapter({ launch: 5 } as never), /"launch" is an object or a function/],
  [() => testing.recordGolden({ replace: [["a"]] } as never), /each item a pattern and its replacement/],
];

test("unknown parts of options are refused by name", () => {
  for (const [call, message] of calls)
    assert.throws(call, (error: Error) => {
      assert.equal(error.name, "TypeError");
      assert.match(error.message, message);
      return true;
    });
});

test("waiting for or requesting an undefined message rejects with the message name", async () => {
  await assert.rejects(
    client().once("stoped" as never),
    new TypeError(
      'once: the adapter does not send "stoped" (did you mean "stopped"?). Use onCustom for messages that the protocol does not define',
    ),
  );
  await assert.rejects(
    client().request("stackTrce" as never),
    new TypeError(
      'request: the client does not send "stackTrce" (did you mean "stackTrace"?). Use requestCustom for messages that the protocol does not define',
    ),
  );
  await assert.rejects(client().request("runInTerminal" as never), /the client does not send "run/);
  await assert.rejects(adapter().request("threads" as never), /the adapter does not send "threads"/);
});

test("a middleware may be empty or an instance of a class with methods", () => {
  class Counting {
    sent = 0;
    beforeSend(): void {
      this.sent++;
    }
  }
  const [first, second] = [new Counting(), new Counting()];
  const connection = client({ middleware: [{}, first] });
  const remove = connection.addMiddleware(second);
  void connection.request("threads");
  remove();
  void connection.request("threads");
  assert.deepEqual([first.sent, second.sent], [2, 1]);
});

test("a test client refuses an expected stop with an unknown property", async () => {
  const adapter = adapters.defineAdapter({ handlers: { launch: nothing } });
  const tested = testing.testClient(testing.inProcess(adapter));
  await tested.launch({ arguments: {} });
  await assert.rejects(
    tested.assertStoppedAt({ reson: "step" } as never),
    /^TypeError: assertStoppedAt: unknown option "reson"\. Did you mean "reason"\?$/,
  );
  await assert.rejects(
    tested.hitBreakpoint({ path: "a", line: 1 }, { arguments: {}, expected: { lin: 1 } as never }),
    /^TypeError: hitBreakpoint: expected: unknown option "lin"\. Did you mean "line"\?$/,
  );
  await tested.stop();
});

test("a progress report refuses an unknown field", async () => {
  const adapter = adapters.defineAdapter({
    handlers: { launch: (_, { progress }) => void progress("x", { percent: 5 } as never) },
  });
  const tested = testing.testClient(testing.inProcess(adapter));
  await assert.rejects(
    tested.launch({ arguments: {} }),
    /progress: unknown option "percent"\. Did you mean "percentage"\?/,
  );
  await tested.stop();
});

test("the tool refuses invalid versions, days, sides and acceptances", async () => {
  const dap = await tool.readProtocol("dap");
  const diff = tool.diffProtocols(dap, dap);
  const compare = (options: object): Promise<unknown> => tool.diffVersions("dap", "dap", options);
  const refused: readonly (readonly [call: () => unknown, message: RegExp])[] = [
    [() => tool.adviseBump(diff, "gigantic"), /^InputError: Cannot use the claimed step "gigantic"/],
    [() => compare({ claimed: "huge" }), /^InputError: Cannot use the claimed step "huge"/],
    [() => compare({ today: "yesterday" }), /^TypeError: .*"today" must be a day such as 2026-01-31/],
    [() => compare({ accept: [{ ruel: "x" }] }), /"accept" .*each item an object without "ruel"/],
    [() => compare({ accept: [{ rule: "x" }] }), /"accept" must be an array, each item an object with "rule" and/],
    [
      () => tool.selectFindings(diff, { side: "adaptor" }),
      /^TypeError: selectFindings: .*did you mean "adapter"\?\)/,
    ],
    [() => tool.selectFindings(diff, { pair: "x" }), /"pair" must be one of "new-client/],
  ];
  for (const [call, message] of refused) await assert.rejects(async () => call(), message);
});
