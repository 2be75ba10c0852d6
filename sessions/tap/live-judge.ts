import type { Protocol } from "../../generator/model/protocol.js";
import { type LintOptions } from "../judge/lint-options.js";
import { LintSession } from "../judge/lint-session.js";
import type { LintFinding } from "../judge/rules.js";
import type { Observed } from "../read/observed.js";

/** Checks a running session the way `wirewright lint` does, and reports errors and warnings. */
export class LiveJudge {
  readonly #session: LintSession;

  /** @param isFromStart Whether the judge receives the session from its first message on. */
  constructor(
    protocol: Protocol,
    { rules = "none", host }: Pick<LintOptions, "rules" | "host">,
    onFinding: (finding: LintFinding) => void,
    isFromStart = true,
  ) {
    this.#session = new LintSession(protocol, {
      rules,
      host,
      isFromStart,
      onFinding: (finding) => {
        if (finding.severity !== "info") onFinding(finding);
      },
    });
  }

  /**
   * Checks a message. Bytes that are not messages are ignored here, because the view reports them.
   */
  judge(observed: Observed): void {
    if (observed.kind === "message") this.#session.push(observed);
  }

  /** Checks how the session ended. */
  end(): void {
    this.#session.end();
  }
}
