import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import type { LintFinding, LintedProtocol } from "wirewright";
import { checkByRule, clientChecks } from "../checks.js";
import { namesOf } from "../session/wire.js";
import { summarise, type CheckResult } from "../run/run-suite.js";
import type { Verdict } from "../session/verdict.js";
import { PlayedSession, type Scenario } from "./played-session.js";
import { scriptOf } from "./adapter-script.js";
import { lintWire, writeRecordings } from "../run/recordings.js";

export interface ClientResult {
  readonly checks: readonly CheckResult[];
  /** The sessions, in the order they were played. */
  readonly sessions: readonly PlayedSession[];
}

interface ServeOptions {
  /** Milliseconds after which a session ends. Default: 20,000. */
  readonly limitMs?: number;
  readonly onSession?: (session: PlayedSession, verdicts: readonly Verdict[]) => void;
}

/** Plays a scenario's adapter to a client over streams. */
export async function playScenario(
  scenario: Scenario,
  input: Readable,
  output: Writable,
  protocol: LintedProtocol,
): Promise<ClientResult> {
  const session = new PlayedSession(scenario, input, output);
  await session.closed;
  const verdicts = judgeClient(session, protocol);
  return { checks: summariseClient([session], verdicts), sessions: [session] };
}

/** Writes each session as a recording named after its scenario. */
export function writeClientRecordings(
  folder: string,
  sessions: readonly PlayedSession[],
  protocol: LintedProtocol,
): void {
  for (const session of sessions)
    writeRecordings(folder, session.scenario.name, [session], protocol, "client");
}

/** A server that plays one scenario per client connection. */
export class ScenarioServer {
  readonly result: Promise<ClientResult>;
  readonly #server: Server;
  readonly #waiting: Scenario[];
  readonly #sessions: PlayedSession[] = [];
  readonly #verdicts: Verdict[] = [];
  readonly #protocol: LintedProtocol;
  readonly #options: ServeOptions;
  #present: PlayedSession | undefined;
  #finish: () => void = () => undefined;

  constructor(
    scenarios: readonly Scenario[],
    protocol: LintedProtocol,
    options: ServeOptions = {},
  ) {
    this.#waiting = [...scenarios];
    this.#protocol = protocol;
    this.#options = options;
    this.#server = createServer((socket) => void this.#play(socket));
    this.result = new Promise<void>((resolve) => (this.#finish = resolve)).then(() => ({
      checks: summariseClient(this.#sessions, this.#verdicts),
      sessions: this.#sessions,
    }));
  }

  /** Number of scenarios that have not been played yet. */
  get left(): number {
    return this.#waiting.length;
  }

  /** Whether a session is running or being judged. */
  get isPlaying(): boolean {
    return this.#present !== undefined;
  }

  /** Listens on 127.0.0.1. Resolves to the port number. */
  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(port, "127.0.0.1", resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /** Stops the server, even if there are scenarios left to play. */
  close(): void {
    this.#server.close();
    this.#finish();
  }

  async #play(socket: Socket): Promise<void> {
    // A connection that is opened during a session belongs to a child session.
    if (this.#present !== undefined) {
      this.#present.children++;
      await new PlayedSession(childScenario, socket, socket).closed;
      return;
    }
    const scenario = this.#waiting.shift();
    if (scenario === undefined) return void socket.destroy();
    const session = new PlayedSession(scenario, socket, socket, this.#options.limitMs);
    this.#present = session;
    await session.closed;
    // Wait, because the client may still be closing its side.
    await session.pause(100);
    const verdicts = judgeClient(session, this.#protocol);
    this.#sessions.push(session);
    this.#verdicts.push(...verdicts);
    this.#options.onSession?.(session, verdicts);
    socket.destroy();
    this.#present = undefined;
    if (this.#waiting.length === 0) this.close();
  }
}

const childScenario: Scenario = {
  name: "child-session",
  title: "A child session",
  script: (session) => scriptOf(session, {}),
};

const checkOf = checkByRule(clientChecks);

/** Judges the client in a session, both by lint rules and by the scenario. */
function judgeClient(session: PlayedSession, protocol: LintedProtocol): readonly Verdict[] {
  const { name } = session.scenario;
  const verdicts: Verdict[] = [];
  for (const finding of lintWire(session, protocol, "client").findings) {
    const { from, label, message, index } = finding;
    const check = checkOf(finding);
    if (from !== "client" || check === undefined || isEndOfConfiguration(finding, session))
      continue;
    verdicts.push({
      check: check.id,
      status: "fail",
      case: name,
      expected: check.title,
      actual: `${label}: ${message}`,
      message: index,
    });
  }
  session.scenario.judge?.(session, (check, isFine, difference) =>
    verdicts.push({
      check,
      case: name,
      ...(isFine ? { status: "pass" } : { status: "fail", ...difference }),
    }),
  );
  return verdicts;
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
const summariseClient = (
  sessions: readonly PlayedSession[],
  verdicts: readonly Verdict[],
): readonly CheckResult[] => summarise(clientChecks, verdicts, namesOf(sessions));
