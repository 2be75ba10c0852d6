import type { LogSample } from "./log-sample.js";
import { ask, answer, stopped, own, one, several } from "./logged-messages.js";

export const trackerLogs: readonly LogSample[] = [
  {
    format: "tracker",
    about: "arrows, on one line and on several",
    log: `Extension started\n> ${several(ask(1))}\n< ${one(answer)}\n[info] <- ${one(stopped)}\n< ${one(own)}\n> {"not":"one"}\n`,
    entries: [
      { from: "client", line: 2, message: ask(1) },
      { from: "adapter", line: 7, message: answer },
      { from: "adapter", line: 8, message: stopped },
      { from: "adapter", line: 9, message: own },
    ],
  },
  {
    format: "tracker",
    about: "names of the methods, and messages without any mark",
    log: `[x] onWillReceiveMessage: ${one(ask(1))}\nonDidSendMessage ${several(own)}\n${several(stopped)}\n`,
    entries: [
      { from: "client", line: 1, message: ask(1) },
      { from: "adapter", line: 2, message: own },
      { from: "adapter", line: 7, message: stopped },
    ],
  },
  {
    format: "tracker",
    about: "objects as JavaScript prints them",
    log: `INFO [1/9/2024, 12:17:46 PM]: DAP onWillReceiveMessage: {
  command: 'threads',
  arguments: { name: "it's {", 'a-b': [ 1, -2.5, null ], deep: { x: [Object], y: [Array], z: undefined } },
  type: 'request',
  seq: 1
}
INFO [1/9/2024, 12:17:46 PM]: DAP event: {
  seq: 4,
  type: 'event',
  event: 'stopped',
  body: { text: 'one\\n' +
    'two', ids: [ 1, ... 3 more items ] }
}
`,
    entries: [
      {
        from: "client",
        line: 1,
        message: {
          command: "threads",
          arguments: { name: "it's {", "a-b": [1, -2.5, null], deep: { x: {}, y: [] } },
          type: "request",
          seq: 1,
        },
        unknown: ["/arguments/deep/x", "/arguments/deep/y"],
      },
      {
        from: "adapter",
        line: 7,
        message: {
          seq: 4,
          type: "event",
          event: "stopped",
          body: { text: "one\ntwo", ids: [1] },
        },
        unknown: ["/body/ids"],
      },
    ],
  },
  {
    format: "tracker",
    about: "words before messages, on their line or on the one before",
    log: `[debug] send: ${one(ask(1))}\n[debug] read ${one(answer)}\nreceived: ${one(own)}\nSending: \n${several(ask(2))}\nReceived:\n${several(stopped)}\n<- threadsRequest\n{ seq: 3, type: 'request', command: 'threads' }\n`,
    entries: [
      { from: "client", line: 1, message: ask(1) },
      { from: "adapter", line: 2, message: answer },
      { from: "adapter", line: 3, message: own },
      { from: "client", line: 5, message: ask(2) },
      { from: "adapter", line: 11, message: stopped },
      { from: "client", line: 20, message: ask(3) },
    ],
  },
];
