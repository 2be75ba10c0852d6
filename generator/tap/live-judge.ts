import { paint } from "../base/paint.js";
import { LintSession, type LintOptions } from "../lint/lint-session.js";
import type { LintFinding } from "../lint/rules.js";
import type { Protocol } from "../model/protocol.js";
import { visible } from "../base/visible-text.js";
import type { Observed } from "../session/session-observer.js";

const colours = { error: "red", warning: "yellow" } as const;

/** Reports errors and warnings of `wirewright lint` while a session is running. */
export class LiveJudge {
  readonly #session: LintSession;

  constructor(
    protocol: Protocol,
    tables: Pick<LintOptions, "rules" | "host">,
    print: (line: string) => void,
    hasColours: boolean,
  ) {
    this.#session = new LintSession(protocol, {
      ...tables,
      isFromStart: true,
      onFinding: ({ severity, rule, label, pointer, text }: LintFinding) => {
        if (severity === "info") return;
        const head = paint(
          { colours: hasColours },
          colours[severity],
          `${severity} ${visible(rule)}`,
        );
        const place = pointer === "" ? "" : ` ${visible(pointer)}`;
        print(`            ${head} ${visible(label)}${place}: ${visible(text)}`);
      },
    });
  }

  /** Judges a message. The view reports bytes that are not messages. */
  judge(observed: Observed): void {
    if (observed.kind === "message") this.#session.push(observed);
  }

  /** Call at the end of the session. */
  end(): void {
    this.#session.end();
  }
}
