import * as option from "../runtime/base/check-options.js";
import { checkArguments } from "../generator/base/check-arguments.js";
import { defaultProtocol } from "../generator/base/bundled.js";
import { InputError } from "../generator/base/input-error.js";
import { judgeFindings, type Acceptance } from "../diff/accepted-findings.js";
import { readerPolicies, type ReaderPolicy } from "../diff/compare/outcomes.js";
import { rules } from "../diff/compare/rules.js";
import { diffProtocols } from "../diff/diff-protocols.js";
import {
  diffSeverities,
  type Finding,
  type DiffSeverity,
  type ProtocolDiff,
} from "../diff/finding.js";
import type { DiffReport } from "../diff/report/report-text.js";
import { onlyFor, selectFindings } from "../diff/select-findings.js";
import { adviseBump, checkClaim } from "../diff/version-bump.js";
import { openProtocolSource } from "../generator/read/protocol-source.js";
import type { JsonFile } from "../generator/read/source/json-text.js";

/** Options that determine which findings are selected and how severe they are. */
export interface JudgingOptions {
  /**
   * Name or path of the protocol description to use for schemas and declarations. Default: `dap`.
   */
  readonly protocol?: string;
  /** How readers treat unexpected values. Default: `tolerant`. */
  readonly reader?: ReaderPolicy;
  /** Select only findings about this pairing of versions, such as `new-client/old-adapter`. */
  readonly pair?: string;
  /** Rate severities from the point of view of this role, which moves to the new version. */
  readonly side?: string;
  /** Like `side`, but omits findings that affect only other roles. */
  readonly part?: string;
  /**
   * Severities by rule. They override the severities that follow from the verdicts. `off` drops a
   * rule's findings.
   */
  readonly severity?: Readonly<Record<string, DiffSeverity | "off">>;
  /** Accepted findings. */
  readonly accept?: readonly Acceptance[];
  /**
   * The date against which the expiry of acceptances is checked, as `YYYY-MM-DD`. Default: today,
   * in UTC.
   */
  readonly today?: string;
}

/** Options for `diffVersions`. */
export interface DiffVersionsOptions extends JudgingOptions {
  /**
   * The intended version step, in a form that `adviseBump` accepts. Default: the step between the
   * two versions.
   */
  readonly claimed?: string;
  /**
   * Select only findings that affect a recorded session, given as one file or as one file per
   * direction.
   */
  readonly session?: readonly string[];
  /**
   * Select only findings that affect the TypeScript code in a file, a folder or a tsconfig.json.
   * Cannot be combined with `session`.
   */
  readonly code?: string;
}

/**
 * The comparison of two versions: the findings, the version step, and the schemas that the findings
 * refer to.
 */
export interface VersionDiff extends DiffReport {
  readonly before: JsonFile;
  readonly after: JsonFile;
}

const day: option.OptionCheck = (value) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value)
    ? undefined
    : "a day such as 2026-01-31";

const acceptanceFields = new Set(["rule", "at", "reason", "until"]);

const acceptance: option.OptionCheck = (value) => {
  const expected = option.recordOf(option.text, acceptanceFields)(value);
  if (expected !== undefined) return expected;
  const { rule, at } = value as Partial<Acceptance>;
  return rule === undefined || at === undefined ? 'an object with "rule" and "at"' : undefined;
};

export const judgingChecks: option.OptionChecks<JudgingOptions> = {
  protocol: option.text,
  reader: option.oneOf(...readerPolicies),
  pair: option.text,
  side: option.text,
  part: option.text,
  severity: option.recordOf(option.oneOf(...diffSeverities, "off"), rules),
  accept: option.listOf(acceptance),
  today: day,
};

const checks: option.OptionChecks<DiffVersionsOptions> = {
  ...judgingChecks,
  claimed: option.text,
  session: option.listOf(option.text),
  code: option.text,
};

/**
 * Compares two versions of a protocol: reads their sources, then selects and rates the findings.
 * Use `printDiff` to print the result.
 *
 * ```ts
 * const { findings, bump } = await diffVersions("dap@1.70.0", "dap@1.71.0");
 * for (const { severity, rule, message } of findings) console.log(severity, rule, message);
 * ```
 *
 * @param before Source of the old version, in a form that `openProtocolSource` accepts:
 * `dap@1.70.0`, a schema, a package.
 * @param after Source of the new version.
 * @throws InputError if a source, a recording, code or the claimed step cannot be used. TypeError
 * for an unknown option.
 */
export async function diffVersions(
  before: string,
  after: string,
  options: DiffVersionsOptions = {},
): Promise<VersionDiff> {
  option.checkOptions("diffVersions", options, checks);
  checkArguments("diffVersions", { before: [before, option.text], after: [after, option.text] });
  const { protocol = defaultProtocol(), reader = "tolerant", session, code, claimed } = options;
  if (before === "-" && after === "-")
    throw new InputError("ERR_ARGUMENT", "Cannot read both versions from standard input");
  if (session !== undefined && code !== undefined)
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot filter by a session and by code at the same time",
      {},
      "Give one of them",
    );
  const [old, now] = [
    await openProtocolSource(before, protocol, { modules: false }),
    await openProtocolSource(after, protocol, { modules: false }),
  ];
  const compared = diffProtocols(old.protocol, now.protocol, { reader });
  if (claimed !== undefined) checkClaim(claimed, compared, true);
  const diff = chosenFindings(compared, options);
  const judged = judgeFindings(diff.findings, options.accept ?? [], options.today ?? today());
  const seenIn = session?.join(" ") ?? code;
  const seen = async (): Promise<readonly Finding[]> => {
    if (code !== undefined) {
      const { findUses } = await import("../diff/find-uses.js");
      return findUses(code, judged.findings);
    }
    if (session === undefined) return judged.findings;
    const { findingsInSession } = await import("./findings-in-session.js");
    return findingsInSession(session, old.protocol, now.protocol, judged.findings);
  };
  return {
    diff,
    bump: adviseBump(diff, claimed),
    ...judged,
    findings: await seen(),
    ...(seenIn === undefined ? {} : { seenIn }),
    before: old.schema,
    after: now.schema,
  };
}

/**
 * Selects the findings that the options ask for, and adjusts their severities.
 *
 * @throws InputError `ERR_ARGUMENT` for a pair or a side that does not exist.
 */
export function chosenFindings(
  diff: ProtocolDiff,
  { pair, side, part, severity }: JudgingOptions,
): ProtocolDiff {
  const isOneOf = (name: string, value: string | undefined, allowed: readonly string[]): void => {
    if (value === undefined || allowed.includes(value)) return;
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot use the ${name} "${value}"`,
      {},
      `Allowed: ${allowed.join(", ")}`,
    );
  };
  isOneOf("pair", pair, [...diff.pairs, "both"]);
  isOneOf("side", part ?? side, diff.roles);
  const chosen = selectFindings(diff, {
    ...(pair === undefined || pair === "both" ? {} : { pair }),
    ...((part ?? side) === undefined ? {} : { side: part ?? side }),
    ...(severity === undefined ? {} : { severity }),
  });
  return part === undefined ? chosen : onlyFor(chosen, part);
}

/** Returns the current date in UTC, so that an acceptance expires everywhere at the same moment. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
