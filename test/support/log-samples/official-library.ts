import type { LogSample } from "./log-sample.js";
import {
  threads,
  ask,
  answer,
  own,
  one,
  answerWithoutNumber,
  cut,
  broken,
} from "./logged-messages.js";

export const officialLibraryLogs: readonly LogSample[] = [
  {
    format: "official-library",
    about: "with times, over midnight, among lines of the adapter",
    log: `2026-11-22, 23:59:59.000 UTC
[23:59:59.500 UTC] From client: threads(undefined)
[23:59:59.501 UTC] Spawned a program: {"seq":7}
[00:00:00.250 UTC] To client: ${one(answer)}
[00:00:00.300 UTC] From client: next({"threadId":1,"x":"({\\""})
[00:00:00.400 UTC] To client: "runInTerminal"({"args":["a)"]}), timeout: 5000
[00:00:00.500 UTC] To client: {"seq":0,"type":"event","event":"output","body":{"output":"<output not logged>"}}
`,
    entries: [
      { from: "client", time: 0, line: 2, message: threads, unknown: ["/seq"] },
      { from: "adapter", time: 750, line: 4, message: answerWithoutNumber, unknown: ["/seq"] },
      {
        from: "client",
        time: 800,
        line: 5,
        unknown: ["/seq"],
        message: { type: "request", command: "next", arguments: { threadId: 1, x: '({"' } },
      },
      {
        from: "adapter",
        time: 900,
        line: 6,
        unknown: ["/seq"],
        message: { type: "request", command: "runInTerminal", arguments: { args: ["a)"] } },
      },
      {
        from: "adapter",
        time: 1000,
        line: 7,
        unknown: ["/seq", "/body/output"],
        message: { type: "event", event: "output", body: { output: "<output not logged>" } },
      },
    ],
  },
  {
    format: "official-library",
    about: "without times, whole messages, damaged lines",
    log: `From client: ${one(ask(1))}\nTo client: ${one(own)}\nFrom client: x([1])\nFrom client: y({"a)\nTo client: {]}\nTo client: nothing\nto client: {}\n`,
    entries: [
      { from: "client", line: 1, message: ask(1) },
      { from: "adapter", line: 2, message: own },
      {
        from: "client",
        line: 3,
        unknown: ["/seq", "/arguments"],
        message: { type: "request", command: "x" },
      },
      { from: "client", line: 4, fault: cut },
      { from: "adapter", line: 5, fault: broken },
    ],
  },
];
