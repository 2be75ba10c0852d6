import { failureText } from "../session/adapter-session.js";
import type { CaseSession } from "../session/case-session.js";
import { nameOfSource, type StopAtFrame } from "../session/case-session.js";
import { frameOf, StepError, type AnyMessage } from "../session/wire.js";
import type { Case } from "./case.js";

/**
 * The text in the programs `data` and `io`. It contains characters that take two, three and four
 * bytes in UTF-8.
 */
export const foreignText = "héllo 世界 🎉";

export const baseCases: readonly Case[] = [
  {
    name: "unknown-command",
    program: "loop",
    checks: ["base-05"],
    async run(s) {
      await s.initialize();
      const reply = await s.step("base-05", "a failure", () => s.request("wirewrightUnknown", {}));
      const isFine = s.verify("base-05", !reply.success, {
        expected: "an unknown request fails",
        actual: reply.message,
      });
      if (!isFine) return;
      // If the request crashed the adapter, detecting this may take a moment.
      await s.event("never", { timeoutMs: 200 }).catch(() => undefined);
      s.verify("base-05", s.wire.end === undefined, {
        expected: "the session continues after an unknown request",
        actual: s.wire.end,
      });
    },
  },
  {
    name: "parts",
    program: "loop",
    checks: ["base-06"],
    async run(s) {
      const wire = await s.connect();
      const { adapterId, request, launch } = s.settings;
      const args = { clientName: foreignText, adapterID: adapterId, pathFormat: "path" };
      const message = {
        seq: wire.nextSeq(),
        type: "request",
        command: "initialize",
        arguments: args,
      };
      wire.record("client", message);
      // Write each byte separately, so that most bytes also arrive separately.
      for (const byte of frameOf(message)) {
        wire.writeBytes(Uint8Array.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      const reply = await s.step(
        "base-06",
        "a response to a request that is sent byte by byte",
        () => s.reply(message.seq, "initialize"),
      );
      s.verify("base-06", reply.success, { expected: "success", actual: reply.message });
      s.capabilities = reply.body;
      if (s.settings.isInChild) return;
      const launched = wire.send(request, launch);
      await s.event("initialized");
      const requests = [
        { command: "setBreakpoints", arguments: s.breakpointsAt(["loop"]) },
        { command: "threads" },
      ].map((request) => ({ seq: wire.nextSeq(), type: "request", ...request }));
      for (const request of requests) wire.record("client", request);
      wire.writeBytes(Buffer.concat(requests.map(frameOf)));
      for (const { seq, command } of requests)
        await s.step(
          "base-06",
          `a response to ${command}, which arrived together with another request`,
          () => s.reply(seq, command),
        );
      await s.endConfiguration();
      await s.reply(launched, request);
    },
  },
  {
    name: "text",
    program: "data",
    checks: ["base-07"],
    async run(s) {
      const { frame } = await s.startToFrame({ breakpoints: ["data"] });
      const value = (await s.localOf(frame, "text"))?.["value"];
      if (value === undefined)
        return s.skip("base-07", "the variable with the test string is not shown");
      // Debuggers may escape characters, but text that is neither escaped nor complete is damaged.
      const isEscaped = /\\(x|u|[0-7]{3})/i.test(String(value));
      s.verify("base-07", isEscaped || String(value).includes(foreignText), {
        expected: `a value with ${foreignText}`,
        actual: value,
      });
    },
  },
  {
    name: "positions",
    program: "loop",
    checks: ["init-04"],
    async run(s) {
      const started = s.startToFrame({
        initialize: { linesStartAt1: false, columnsStartAt1: false },
        configure: async () => {
          const line = s.line("next") - 1;
          const args = { source: s.source, breakpoints: [{ line }], lines: [line] };
          const { breakpoints: [set] = [] } = await s.ask("setBreakpoints", args);
          // If the adapter counts from 1, this line contains no code.
          if (set?.line !== undefined)
            s.verify("init-04", set.line === line, {
              expected: `line ${line} in the response, because lines start at 0`,
              actual: set.line,
            });
        },
      });
      const expected = "a stop at a line counted from 0, or an initialize failure";
      const frame = await frameUnlessRefused(s, "init-04", expected, started);
      const line = s.line("next") - 1;
      if (frame === undefined) return;
      s.verify("init-04", frame["line"] === line, {
        expected: `a frame at line ${line}, because lines start at 0`,
        actual: frame["line"],
      });
    },
  },
  {
    name: "uri",
    program: "loop",
    checks: ["init-05"],
    async run(s) {
      const uri = `file://${encodeURI(s.program.source)}`;
      const started = s.startToFrame({
        initialize: { pathFormat: "uri" },
        configure: async () => {
          const line = s.line("loop");
          await s.ask("setBreakpoints", { source: { path: uri }, breakpoints: [{ line }] });
        },
      });
      const expected = "a stop at a breakpoint in a URI source, or an initialize failure";
      const frame = await frameUnlessRefused(s, "init-05", expected, started);
      if (frame === undefined) return;
      const path = String(frame["source"]?.path);
      const isUri = path.startsWith("file:") && nameOfSource(frame) === uri.replace(/^.*\//, "");
      s.verify("init-05", isUri, { expected: `the source's path as a URI: ${uri}`, actual: path });
    },
  },
  {
    name: "initialize-twice",
    program: "loop",
    checks: ["init-03"],
    breaksRules: true,
    async run(s) {
      await s.initialize();
      const reply = await s.step("init-03", "a failure response to the second initialize", () =>
        s.request("initialize", { adapterID: s.settings.adapterId }),
      );
      s.verify("init-03", !reply.success, {
        expected: "the second initialize fails",
        actual: reply.message,
      });
    },
  },
  {
    name: "whole-run",
    program: "io",
    checks: ["init-02", "out-01", "out-02", "end-01", "end-08", "launch-01", "launch-02"],
    async run(s) {
      const { index } = await s.initialize();
      const { request } = s.settings;
      if (s.settings.isInChild) {
        s.wires.pop();
        s.skip(["init-02", "launch-01"], "the program runs in a child session");
        const { launched } = await s.start();
        s.verify("launch-02", launched.success, { expected: "success", actual: launched.message });
      } else {
        const seq = s.wire.send(request, s.settings.launch);
        const event = await s.step("launch-01", "an initialized event after an early launch", () =>
          s.event("initialized", { since: 0 }),
        );
        s.pass("launch-01");
        s.verify("init-02", event.index > index, {
          expected: "initialized comes after the response to initialize",
          actual: `message ${event.index + 1}, before message ${index + 1}`,
        });
        await s.endConfiguration();
        const reply = await s.step("launch-02", `a response to ${request}`, () =>
          s.reply(seq, request),
        );
        s.verify("launch-02", reply.success, {
          expected: "success",
          actual: failureText(reply.message),
        });
      }
      await judgeEnd(s);
    },
  },
];

/**
 * Resolves to the frame at the first stop. An adapter may instead refuse `initialize`, because its
 * arguments are unusual.
 */
async function frameUnlessRefused(
  s: CaseSession,
  check: string,
  expected: string,
  started: Promise<StopAtFrame>,
): Promise<AnyMessage | undefined> {
  try {
    return (await started).frame;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    const { message: actual, follows } = error;
    s.verify(check, actual.startsWith("initialize failed"), { expected, actual, follows });
    return undefined;
  }
}

async function judgeEnd(s: CaseSession): Promise<void> {
  if (s.language.isEndless === true)
    return s.skip(
      ["end-01", "end-08", "out-01", "out-02"],
      "programs in this language run until they are terminated",
    );
  const over = await s.step("end-01", "a terminated event after the program has ended", () =>
    s.runToEnd(),
  );
  s.pass("end-01");
  // No sentence demands that output comes before `terminated`, or that it is captured at all.
  const texts = [foreignText, "warning"];
  const printed = (): string =>
    s
      .events("output")
      .map(({ body }) => String(body["output"]))
      .join("");
  await s.wire
    .until(() => texts.every((text) => printed().includes(text)), {
      since: over.index,
      timeoutMs: 2_000,
      what: "output",
    })
    .catch(() => undefined);
  const [exited] = s.events("exited");
  const code = exited?.body["exitCode"];
  if (exited === undefined) s.skip("end-08", "no exited event: the exit code may be unknown");
  else
    s.verify("end-08", code === 3, {
      expected: "exit code 3",
      actual: code,
      messageNumber: exited.index + 1,
    });
  const textOf = (category: string): string =>
    s
      .events("output")
      .filter(({ body }) => (body["category"] ?? "console") === category)
      .map(({ body }) => body["output"])
      .join("");
  for (const [check, category, text] of [
    ["out-01", "stdout", foreignText],
    ["out-02", "stderr", "warning"],
  ] as const) {
    if (!printed().includes(text))
      s.skip(check, `the adapter does not capture the program's ${category}`);
    else
      s.verify(check, textOf(category).includes(text), {
        expected: `"${text}" as ${category}`,
        actual: s.events("output").map(({ body }) => [body["category"], body["output"]]),
      });
  }
}
