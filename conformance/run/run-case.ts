import type { LintFinding } from "wirewright";
import type { Capabilities } from "@wirewright/dap/types";
import type { Case } from "../cases/case.js";
import { checkByRule, checks, ruleChecks, type Check } from "../checks.js";
import { findingsAboutAdapter, writeRecordings } from "./recordings.js";
import { freePort, startAdapter, type StartedAdapter } from "../session/adapter-target.js";
import { Pace } from "../session/pace.js";
import type { Suite } from "../session/suite.js";
import { CaseSession } from "../session/case-session.js";
import { shortened, type Reasons, type Verdict } from "../session/verdict.js";
import { fillIn, ProgramError } from "../session/programs.js";
import { namesOf, StepError } from "../session/wire.js";

/** Facts about the adapter and the machine, shared by all cases in a run. */
export interface AdapterFacts {
  readonly capabilities: Capabilities;
  readonly pace: Pace;
  /** Checks that this machine cannot exercise. */
  readonly environment: Reasons;
}

export interface CaseResult {
  readonly name: string;
  readonly verdicts: readonly Verdict[];
  /** Names of the messages that the adapter sent and received. */
  readonly seen: ReadonlySet<string>;
  /** Whether each capability's request succeeded, for the capabilities whose request was sent. */
  readonly served: ReadonlyMap<string, boolean>;
}

const checkOfRule = checkByRule(ruleChecks);

const earlyInitialized = checks.find(({ id }) => id === "init-02");

const checkOf = (finding: LintFinding): Check | undefined =>
  finding.rule === "opening.early" && finding.label.includes("initialized")
    ? earlyInitialized
    : checkOfRule(finding);

/**
 * Runs a case in a separate session.
 *
 * @param recording Name of its recording. Default: the case's name.
 */
export async function runCase(
  testCase: Case,
  suite: Suite,
  facts: AdapterFacts,
  recording: string = testCase.name,
): Promise<CaseResult> {
  const { capabilities } = facts;
  const without = (status: "not-applicable" | "blocked", text: string): CaseResult => ({
    name: testCase.name,
    verdicts: testCase.checks.map((check) => ({ check, status, case: testCase.name, text })),
    seen: new Set(),
    served: new Map(),
  });
  const gate = gateOf(testCase);
  const flag = gate === undefined ? true : capabilities[gate];
  if (flag === undefined || flag === false || (Array.isArray(flag) && flag.length === 0))
    return without("not-applicable", `${gate} is not announced`);
  if (testCase.launches === true && suite.request !== "launch")
    return without("not-applicable", "the adapter does not launch the program");
  if (!suite.programs.has(testCase.program)) {
    const reason = suite.programs.language.without?.[testCase.program];
    return without("not-applicable", reason ?? `the language has no program "${testCase.program}"`);
  }
  const lacking = { ...facts.environment, ...suite.programs.language.without };
  if (testCase.checks.length > 0 && testCase.checks.every((check) => Object.hasOwn(lacking, check)))
    return lacks(without("not-applicable", ""), lacking);
  let adapter: StartedAdapter | undefined;
  try {
    const s = await openSession(testCase, suite, facts);
    adapter = s.adapter;
    return lacks(await judged(testCase, s, suite, recording), lacking);
  } catch (error) {
    if (error instanceof ProgramError) return without("not-applicable", error.message);
    // Once the adapter has started, any error other than a failed step is a bug in the suite.
    if (adapter !== undefined) throw error;
    return without("blocked", `the adapter cannot be started: ${(error as Error).message}`);
  } finally {
    await adapter?.stop();
  }
}

/** Returns the capability that the adapter must announce for a case to run. */
function gateOf(testCase: Case): keyof Capabilities | undefined {
  const [first] = testCase.checks;
  return checks.find(({ id }) => id === first)?.gate as keyof Capabilities | undefined;
}

/** Marks checks as not applicable if the machine or the language's programs cannot demonstrate them. */
function lacks(result: CaseResult, lacking: Reasons): CaseResult {
  const verdicts = result.verdicts.map((verdict): Verdict => {
    const { check, case: name } = verdict;
    const text = lacking[check];
    return text === undefined ? verdict : { check, status: "not-applicable", case: name, text };
  });
  return { ...result, verdicts };
}

async function openSession(
  testCase: Case,
  suite: Suite,
  { capabilities, pace }: AdapterFacts,
): Promise<CaseSession> {
  const { programs } = suite;
  const program = programs.get(testCase.program);
  const names = { program: program.program, source: program.source, folder: programs.folder };
  return new CaseSession({
    ...suite,
    name: testCase.name,
    gate: gateOf(testCase),
    adapter: await startAdapter(suite.target, names),
    program,
    launch: { ...fillIn(suite.launch, { ...names, port: await freePort() }) },
    capabilities,
    pace,
  });
}

async function judged(
  testCase: Case,
  s: CaseSession,
  suite: Suite,
  recording: string,
): Promise<CaseResult> {
  let blocked = "the case ended before this check";
  let cause: string | undefined;
  let isCut = false;
  /** If the case ended early: number of the request that had no response, or 0 for another reason. */
  let unanswered: number | undefined;
  try {
    await testCase.run(s);
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    blocked = error.message;
    cause = error.check ?? error.follows;
    isCut = error.isCut;
    unanswered = error.message.startsWith("no response to") ? error.messageNumber : 0;
  }
  const failed = s.verdicts.find(({ status }) => status === "fail");
  if (failed === undefined) {
    const cuts = await Promise.all(s.wires.map((wire) => wire.settle()));
    isCut ||= cuts.includes(true);
  }
  const findings = s.wires.flatMap((wire, index) =>
    findingsAboutAdapter(wire, suite.protocol).map((finding) => ({
      finding,
      connection: index + 1,
    })),
  );
  judgeNumbers(s);
  if (testCase.breaksRules !== true && (await judgeCrash(s))) cause ??= "base-19";
  await s.close();
  if (suite.recordings !== undefined)
    writeRecordings(suite.recordings, recording, s.wires, suite.protocol);
  const judgedChecks = new Set(s.verdicts.map(({ check }) => check));
  const verdicts: Verdict[] = [
    ...s.verdicts,
    ...testCase.checks
      .filter((check) => !judgedChecks.has(check))
      .map((check): Verdict => ({
        check,
        status: isCut ? "inconclusive" : "blocked",
        case: testCase.name,
        text: blocked,
        blockedOn: cause,
      })),
    ...findings.flatMap(({ finding, connection }): readonly Verdict[] => {
      const failing = checkOf(finding);
      if (failing === undefined || testCase.without?.includes(finding.rule) === true) return [];
      const { id: check, title } = failing;
      const text = shortened(`${finding.label}: ${finding.message}`);
      const verdict = { check, case: testCase.name, text };
      if (finding.rule === "request.unanswered") {
        if (isCut) return [{ ...verdict, status: "inconclusive" }];
        // The failed step was waiting for this response, and has already reported the failure.
        const waiting = s.verdicts.find(
          ({ status, message }) => status === "fail" && message === finding.index,
        );
        const blockedOn = (waiting ?? failed)?.check ?? cause;
        // A case that ends early may leave requests open that the adapter cannot answer yet.
        const isLeftOpen = unanswered !== undefined && unanswered !== finding.index;
        if (failed !== undefined || isLeftOpen)
          return [{ ...verdict, status: "blocked", blockedOn }];
      }
      if (finding.isOvertaking) return [{ ...verdict, status: "inconclusive" }];
      return [
        // An early `initialized` is a message before the response to `initialize`, too.
        ...(check === "init-02"
          ? [{ ...verdict, check: "init-01", status: "blocked" as const, blockedOn: check }]
          : []),
        {
          check,
          status: "fail",
          case: testCase.name,
          expected: title,
          actual: text,
          message: finding.index,
          connection: connection > 1 ? connection : undefined,
        },
      ];
    }),
  ];
  return { name: testCase.name, verdicts, seen: namesOf(s.wires), served: s.served };
}

/**
 * Judges whether the adapter's messages are numbered 1, 2, 3 and so on. Threads may write their
 * messages in a different order. Lint rules report other mistakes in numbers.
 */
function judgeNumbers(s: CaseSession): void {
  for (const { trace, hasFaults } of s.wires) {
    const numbers = trace
      .filter(({ from }) => from === "adapter")
      .map(({ message }) => Number(message["seq"]))
      .sort((a, b) => a - b);
    const gap = numbers.findIndex((number, index) => number !== index + 1);
    // At the end of the session, an overtaken message may not have arrived yet.
    if (gap !== -1 && numbers.length - gap > 3 && !hasFaults)
      s.verify("base-02", false, {
        expected: `the number ${gap + 1} for one of the first ${gap + 1} messages`,
        actual: numbers.slice(Math.max(0, gap - 2), gap + 3),
      });
  }
}

/**
 * Judges whether the adapter crashed, that is, whether a signal ended it before the suite did.
 * Returns whether it crashed.
 */
async function judgeCrash(s: CaseSession): Promise<boolean> {
  // A closed connection may be the first sign of a crash, so wait for the exit.
  const end = await s.exitWithin(s.wires.some((wire) => wire.end !== undefined) ? 200 : 0);
  if (end === undefined) return false;
  const signal = s.adapter.crash();
  return !s.verify("base-19", signal === undefined, {
    expected: "an adapter that keeps running, or exits by itself",
    actual: `the adapter crashed: it was ended by ${signal}`,
  });
}

/**
 * Reads the adapter's capabilities, and measures how long it takes to start.
 *
 * @throws StepError if the adapter does not answer.
 */
export async function readCapabilities(suite: Suite, pace: Pace): Promise<Capabilities> {
  const initialization = {
    name: "initialize",
    program: "loop",
    checks: [],
    run: async () => undefined,
  } as const;
  const began = performance.now();
  // A process may need longer to start than to answer.
  const startPace = new Pace(Math.max(suite.timeoutMs, 10_000));
  const facts = { capabilities: {}, pace: startPace, environment: {} };
  const s = await openSession(initialization, suite, facts);
  try {
    await s.initialize();
    pace.observe(performance.now() - began);
    return s.capabilities;
  } catch (error) {
    const printed = s.adapter.lastError?.() ?? "";
    if (!(error instanceof StepError) || printed === "") throw error;
    throw new StepError(`${error.message}. The adapter printed: ${printed}`);
  } finally {
    await s.close();
    await s.adapter.stop();
  }
}
