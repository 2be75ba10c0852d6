import { LintSession, type LintedProtocol, type LintFinding } from "wirewright";
import { entriesOf } from "../judge/judge-recording.js";
import type { Verdict } from "../session/verdict.js";
import type { CheckResult } from "../run/run-suite.js";
import { clientChecks } from "./client-checks.js";
import type { PlayedSession } from "./played-session.js";

const owners = new Map(
  clientChecks.flatMap(({ id, rules = [] }) => rules.map((rule) => [rule, id])),
);

/** Judges the client in a session, both by lint rules and by the scenario. */
export function judgeClient(session: PlayedSession, protocol: LintedProtocol): readonly Verdict[] {
  const { name } = session.scenario;
  const verdicts: Verdict[] = [];
  for (const { rule, label, message, index, pointer } of findingsAboutClient(session, protocol)) {
    const isNumber = pointer === "/seq" && rule === "schema.deviation";
    const check = owners.get(isNumber ? "number.order" : rule);
    if (check === undefined) continue;
    const actual = `${label}: ${message}`;
    verdicts.push({
      check,
      status: "fail",
      case: name,
      expected: `no ${rule}`,
      actual,
      message: index,
    });
  }
  session.scenario.judge?.(session, (check, isFine, difference) =>
    verdicts.push({
      check,
      case: name,
      ...(isFine ? { status: "pass" as const } : { status: "fail" as const, ...difference }),
    }),
  );
  return verdicts;
}

function findingsAboutClient(
  session: PlayedSession,
  protocol: LintedProtocol,
): readonly LintFinding[] {
  const findings: LintFinding[] = [];
  const lint = new LintSession(protocol, {
    isFromStart: true,
    onFinding: (finding) => {
      if (finding.from === "client" && !isEndOfConfiguration(finding, session))
        findings.push(finding);
    },
  });
  const entries = entriesOf(session, protocol, "client");
  for (const { line: _, session: _session, ...entry } of entries)
    if (entry.fault?.code !== "ERR_TRUNCATED") lint.push(entry);
  lint.end();
  return findings;
}

/**
 * Returns whether a finding concerns `setExceptionBreakpoints` at the end of the configuration, for
 * an adapter without configurationDone. Such a request is allowed.
 */
function isEndOfConfiguration({ rule, label }: LintFinding, session: PlayedSession): boolean {
  if (rule !== "request.capability" || !label.includes("setExceptionBreakpoints")) return false;
  const { message } = session.played("initialize")[0] ?? {};
  return message?.["body"]?.supportsConfigurationDoneRequest !== true;
}

/** Combines the results of all sessions into one result per check. */
export function summariseClient(
  sessions: readonly PlayedSession[],
  verdicts: readonly Verdict[],
): readonly CheckResult[] {
  const seen = new Set(
    sessions.flatMap(({ trace }) =>
      trace.map(({ message }) => String(message["event"] ?? message["command"])),
    ),
  );
  return clientChecks.map(({ id, title, level, stated, rules = [], seen: names = [] }) => {
    const head = { check: id, title, level, stated };
    const own = verdicts.filter(({ check }) => check === id);
    const failed = own.filter(({ status }) => status === "fail");
    const [first] = failed;
    if (first !== undefined) return { ...head, ...first, failures: failed.length };
    const passed = own.find(({ status }) => status === "pass");
    if (passed !== undefined) return { ...head, ...passed };
    const isSeen = names.length === 0 ? seen.size > 0 : names.some((name) => seen.has(name));
    return rules.length > 0 && isSeen
      ? { ...head, status: "pass" }
      : {
          ...head,
          status: "not-applicable",
          text: "no message relevant to this check was seen",
        };
  });
}
