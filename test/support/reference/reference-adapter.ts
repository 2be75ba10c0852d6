import type { StartedAdapter } from "../../../conformance/session/adapter-target.js";
import { createDecoder } from "@wirewright/dap";
import type { Transport } from "@wirewright/dap/connection";
import {
  scriptAdapter,
  type AdapterScript,
  type ScriptedAdapter,
  type ScriptedAnswer,
} from "@wirewright/dap/testing";
import { breakpointRequests } from "./breakpoint-requests.js";
import { ProgramRun, type Message, type SharedState } from "./program-run.js";
import { capabilities } from "./programs.js";
import { runRequests } from "./run-requests.js";
import { refuse, stateRequests } from "./state-requests.js";

export interface ReferenceOptions {
  /** The check that the adapter violates. */
  readonly mistake?: string;
  readonly isServer?: boolean;
  /** Wraps each connection's transport. */
  readonly change?: (transport: Transport) => Transport;
}

/**
 * Starts an adapter for programs made up of moments. Without `mistake` and `change`, it follows the
 * protocol.
 */
export function referenceAdapter(options: ReferenceOptions = {}): StartedAdapter {
  const { mistake, isServer = false, change = (same) => same } = options;
  const has = (name: string): boolean => name === mistake;
  const shared: SharedState = { isAlive: false, sessions: 0, breakpoints: [] };
  let hasCrashed = false;
  let exit: (code: number | null) => void = () => undefined;
  const exited = new Promise<number | null>((resolve) => (exit = resolve));
  return {
    connect: async () =>
      change(
        openSession(shared, has, () => {
          hasCrashed = true;
          exit(null);
        }),
      ),
    exited,
    isServer,
    endInput: () => (has("end-15") ? undefined : exit(0)),
    crash: () => (hasCrashed ? "SIGSEGV" : undefined),
    isRunning: () => shared.isAlive,
    stop: async () => undefined,
  };
}

function openSession(
  shared: SharedState,
  has: (mistake: string) => boolean,
  crash: () => void,
): Transport {
  const isFirst = ++shared.sessions === 1;
  let client: Message = {};
  let startedBy: Message | undefined;
  let isConfigured = false;
  const asked = new Map<number, (response: Message) => void>();
  const ask = (command: string, args: object): Promise<Message> =>
    new Promise((resolve) =>
      asked.set(scripted.send({ type: "request", command, arguments: args }), resolve),
    );
  const begin = (self: ScriptedAdapter): void => {
    self.answer(startedBy!, {});
    shared.isAlive = true;
    self.event("process", { name: `${run.name}.steps`, startMethod: "launch" });
    self.event("thread", { reason: "started", threadId: 1 });
    self.event("module", { reason: "new", module: { id: 1, name: "module 1" } });
    for (const each of run.breakpoints) {
      const { id, line, isPending } = each;
      if (isPending === true)
        self.event("breakpoint", { reason: "changed", breakpoint: { id, line, verified: true } });
    }
    const { noDebug } = startedBy!["arguments"] as Message;
    if (noDebug === true && !has("launch-05")) return run.end();
    if (client["supportsProgressReporting"] === true) {
      const requestId = startedBy!["seq"];
      self.event("progressStart", { progressId: "load", title: "Load", requestId });
      self.event("progressUpdate", { progressId: "load", percentage: 50 });
      self.event("progressEnd", { progressId: "load" });
    }
    if (run.name === "io") {
      self.event("output", { category: "stdout", output: "out: héllo 世界 🎉\n" });
      self.event("output", { category: "stderr", output: "err: warning\n" });
    }
    if (run.name === "waits") self.event("output", { category: "stdout", output: "ready\n" });
    run.run();
  };
  const openTerminal = async (self: ScriptedAdapter): Promise<void> => {
    const { success } = await ask("runInTerminal", { args: ["true"], cwd: "", title: "program" });
    if (success || has("term-02")) begin(self);
    else refuse(startedBy!, self, "the terminal does not start");
  };
  const startChild = async (self: ScriptedAdapter): Promise<void> => {
    const { program } = startedBy!["arguments"] as Message;
    const configuration = { name: "child", program, isChild: true };
    await ask("startDebugging", { request: "attach", configuration });
    begin(self);
  };
  const load = (request: Message, self: ScriptedAdapter): undefined => {
    const { program, isChild, terminal } = request["arguments"] as Message;
    startedBy = request;
    if (!run.load(program, client["pathFormat"] === "uri", isChild)) {
      return has("launch-04") ? undefined : refuse(request, self, `there is no ${program}`);
    }
    if (has("launch-01") && run.name !== "io") self.event("initialized");
    if (has("launch-08") && terminal !== true && request["command"] === "launch")
      self.answer(request, {});
    return undefined;
  };
  const script: Record<string, ScriptedAnswer> = {};
  const scripted = scriptAdapter(script);
  const run = new ProgramRun(scripted, shared, has);
  Object.assign(
    script,
    stateRequests(run, () => client),
    runRequests(run),
    breakpointRequests(run, () => isConfigured, isFirst),
  );
  Object.assign(script, {
    initialize(request, self) {
      if (Object.keys(client).length > 0)
        return refuse(request, self, "initialize was sent before");
      client = request["arguments"] as Message;
      run.shift = client["linesStartAt1"] === false ? 1 : 0;
      self.answer(request, capabilities);
      if (!has("launch-01")) self.event("initialized");
      return undefined;
    },
    launch: load,
    attach(request, self) {
      const { pid } = request["arguments"] as Message;
      if (has("attach-01") && pid !== undefined)
        return refuse(request, self, "there is no such process");
      return load(request, self);
    },
    configurationDone(request, self) {
      isConfigured = true;
      self.answer(request, {});
      if (run.moments.length === 0) {
        if (!has("launch-04")) return undefined;
        self.answer(startedBy!, {});
        run.end();
        return undefined;
      }
      const { terminal } = startedBy!["arguments"] as Message;
      const isAnnounced = client["supportsRunInTerminalRequest"] === true;
      if (terminal === true && isAnnounced && !has("term-01")) void openTerminal(self);
      else if (run.name === "child" && client["supportsStartDebuggingRequest"] === true)
        void startChild(self);
      else begin(self);
      return undefined;
    },
    disconnect(request, self) {
      const { pid } = (startedBy?.["arguments"] ?? {}) as Message;
      const { terminateDebuggee = pid === undefined } = (request["arguments"] ?? {}) as Message;
      const ends = (terminateDebuggee || has("end-04")) && !has("end-02");
      if (pid === undefined && ends) shared.isAlive = false;
      if (pid !== undefined && (terminateDebuggee ? !has("end-13") : has("end-03")))
        process.kill(pid);
      if (has("end-09")) return refuse(request, self, "not now");
      self.answer(request, {});
      return undefined;
    },
    wirewrightUnknown: (request, self) => refuse(request, self, "unknown request"),
  } satisfies AdapterScript);
  if (has("base-19")) {
    const { modules } = script;
    script["modules"] = (...all: [Message, ScriptedAdapter]) => {
      crash();
      return (modules as (...all: unknown[]) => object)(...all);
    };
  }
  const responses = createDecoder({
    onMessage: (found) => {
      if (found.status === "malformed") return;
      const message = found.message as Message;
      if (message["type"] === "response") asked.get(message["request_seq"])?.(message);
    },
  });
  return {
    ...scripted,
    write(bytes) {
      responses.push(bytes);
      return scripted.write(bytes);
    },
  };
}
