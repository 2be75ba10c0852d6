import { fromRoot } from "../../../test/support/paths.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { OracleFailure, type Target } from "../target.js";
import { assertVisible } from "./visible.js";
import type { Generator } from "./refusable.js";
import { cut, framed, messages } from "./framed-messages.js";

/** Observes a session the way `tap` does. */
export const tap: Target = {
  name: "tap",
  about: "everything that watches a session: the observer, the live view and the live judge",
  format: "bytes",
  maxLength: 1_500,
  mostMs: 400,
  work: { base: 500_000, perByte: 20_000 },
  tokens: [
    "Content-Length: 2\r\n\r\n{}",
    "\r\n",
    '"seq":',
    '"command":',
    '"request_seq":1',
    "::error::x",
    "\\u001b[31m",
    "\\u202e",
    "\\n::stop-commands::x",
    "\u001b[2J",
    '"event":["a"]',
    '"success":false',
    ...messages.map(framed),
  ],
  seeds: () => [messages.slice(0, 7).map(framed).join(""), ...messages.map(framed), "oops\r\n"],
  async open(modules) {
    const generator = await modules<Generator>("cli/index.js");
    const { SessionObserver } = await modules<
      typeof import("../../../sessions/read/session-observer.js")
    >("sessions/read/session-observer.js");
    const { LiveView } = await modules<typeof import("../../../sessions/tap/live-view.js")>(
      "sessions/tap/live-view.js",
    );
    const { ShownSessions } = await modules<
      typeof import("../../../sessions/tap/shown-sessions.js")
    >("sessions/tap/shown-sessions.js");
    const protocols: readonly Protocol[] = [
      await generator.readProtocol("dap", { version: "1.65.0" }),
      await generator.readProtocol("ruby-debug-ide"),
      await generator.readProtocol(fromRoot("test/fixtures/ticker/protocol.json")),
    ];
    const host = await generator.readHost("visual-studio", "dap");
    const { sessionRules: rules } = await generator.openProtocol("dap");
    return {
      check(input, random) {
        const protocol = random.oneIn(3) ? random.pick(protocols) : protocols[0]!;
        const lines: string[] = [];
        const print = (line: string): void => void lines.push(line);
        const view = new LiveView(protocol, print, {
          colours: false,
          bodyLines: random.oneIn(2) ? 10 : 0,
          columns: random.oneIn(2) ? undefined : 1 + random.below(120),
        });
        const judges =
          protocol.notations !== undefined
            ? undefined
            : protocol === protocols[0]
              ? { rules, host }
              : {};
        const sessions = new ShownSessions(protocol, { watchers: [view], judges });
        const thrown: unknown[] = [];
        // Collect the exceptions here, because the observer ignores exceptions from its listener.
        const observer = new SessionObserver(protocol, (observed) => {
          try {
            sessions.observe(observed);
          } catch (error) {
            thrown.push(error);
          }
        });
        for (const chunk of cut(input, random))
          observer.push(random.pick(protocol.roles), chunk, 0);
        for (const role of protocol.roles) observer.end(role, "closed", 0);
        sessions.end();
        if (thrown.length > 0) throw thrown[0];
        for (const line of lines) {
          assertVisible(line, "tap");
          if (line.includes("\n") || line.startsWith("::"))
            throw new OracleFailure(
              "visible",
              `a line of the tap is ${JSON.stringify(line)}`,
              "line",
            );
        }
      },
    };
  },
};
