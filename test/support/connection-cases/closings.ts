import assert from "node:assert/strict";
import { outcomeOf, scripted, type Scripted } from "../scripted-connection.js";
import type { ConnectionCase } from "./case.js";

export type Adapter = Scripted<"adapter">;

export const never = (): Promise<never> => new Promise(() => undefined);
export const broken = (): Error => new Error("broken pipe");

/**
 * Ways in which closing a transport succeeds or fails, each with the calls that the connection
 * makes.
 */
const closings: readonly (readonly [
  name: string,
  change: (transport: Adapter["transport"]) => void,
  calls: readonly string[],
])[] = [
  ["closes", () => undefined, ["close"]],
  ["does not read", (transport) => (transport.onWrite = never), ["close"]],
  [
    "neither reads nor closes",
    (transport) => {
      transport.onWrite = never;
      transport.onClose = never;
    },
    ["close", "destroy"],
  ],
  ["never closes", (transport) => (transport.onClose = never), ["close", "destroy"]],
  [
    "throws when it is closed",
    (transport) => {
      transport.onClose = () => {
        throw broken();
      };
    },
    ["close", "destroy"],
  ],
  [
    "rejects when it is closed",
    (transport) => (transport.onClose = () => Promise.reject(broken())),
    ["close", "destroy"],
  ],
  [
    "throws when it is destroyed",
    (transport) => {
      transport.onClose = never;
      transport.onDestroy = () => {
        throw broken();
      };
    },
    ["close", "destroy"],
  ],
  [
    "rejects when it is destroyed",
    (transport) => {
      transport.onClose = never;
      transport.onDestroy = () => Promise.reject(broken());
    },
    ["close", "destroy"],
  ],
  [
    "never closes and is never destroyed",
    (transport) => {
      transport.onClose = never;
      transport.onDestroy = never;
    },
    ["close", "destroy"],
  ],
];

export const closingCases: readonly ConnectionCase[] = closings.map(([name, change, calls]) => ({
  name: `close() of a transport that ${name}`,
  async run(): Promise<void> {
    const { connection, transport, codes } = scripted("client");
    change(transport);
    const asked = connection.request("threads");
    const awaited = connection.once("stopped");
    connection.notifyCustom("mine");
    const notified = connection.flushed();
    const closed = connection.close({ graceMs: 40 });
    assert.equal(connection.isClosed, true);
    assert.deepEqual(
      [await outcomeOf(asked), await outcomeOf(awaited)],
      ["ERR_CONNECTION_CLOSED", "ERR_CONNECTION_CLOSED"],
    );
    await closed;
    assert.notEqual(await outcomeOf(notified), "pending");
    assert.equal(await connection.closed, undefined);
    assert.deepEqual([codes(), transport.calls], [[], calls]);
  },
}));
