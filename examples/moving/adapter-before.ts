import { readFileSync } from "node:fs";
import {
  DebugSession,
  InitializedEvent,
  OutputEvent,
  Source,
  StackFrame,
  StoppedEvent,
  TerminatedEvent,
  Thread,
} from "@vscode/debugadapter";
import type { DebugProtocol } from "@vscode/debugprotocol";

interface TextLaunch extends DebugProtocol.LaunchRequestArguments {
  program: string;
}

class TextSession extends DebugSession {
  private path = "";
  private text: string[] = [];
  private breakpoints: number[] = [];
  private line = 1;

  protected override initializeRequest(response: DebugProtocol.InitializeResponse) {
    response.body = { supportsConfigurationDoneRequest: true };
    this.sendResponse(response);
    this.sendEvent(new InitializedEvent());
  }
  protected override launchRequest(response: DebugProtocol.LaunchResponse, args: TextLaunch) {
    this.path = args.program;
    try {
      this.text = readFileSync(args.program, "utf8").trimEnd().split("\n");
      this.sendResponse(response);
    } catch (error) {
      this.sendErrorResponse(response, 1, String(error));
    }
  }
  protected override setBreakPointsRequest(
    response: DebugProtocol.SetBreakpointsResponse,
    args: DebugProtocol.SetBreakpointsArguments,
  ) {
    this.breakpoints = (args.breakpoints ?? []).map(({ line }) => line);
    response.body = { breakpoints: this.breakpoints.map((line) => ({ verified: true, line })) };
    this.sendResponse(response);
  }
  protected override configurationDoneRequest(response: DebugProtocol.ConfigurationDoneResponse) {
    this.sendResponse(response);
    this.run(0);
  }
  protected override threadsRequest(response: DebugProtocol.ThreadsResponse) {
    response.body = { threads: [new Thread(1, "main")] };
    this.sendResponse(response);
  }
  protected override stackTraceRequest(response: DebugProtocol.StackTraceResponse) {
    const source = new Source("text", this.path);
    response.body = { stackFrames: [new StackFrame(1, "text", source, this.line, 1)] };
    this.sendResponse(response);
  }
  protected override scopesRequest(response: DebugProtocol.ScopesResponse) {
    response.body = { scopes: [] };
    this.sendResponse(response);
  }
  protected override continueRequest(response: DebugProtocol.ContinueResponse) {
    this.sendResponse(response);
    this.run(1);
  }

  private run(count: number) {
    for (; this.line <= this.text.length; this.line++) {
      if (count-- <= 0 && this.breakpoints.includes(this.line)) {
        this.sendEvent(new StoppedEvent("breakpoint", 1));
        return;
      }
      this.sendEvent(new OutputEvent(`${this.text[this.line - 1]}\n`, "stdout"));
    }
    this.sendEvent(new TerminatedEvent());
  }
}

DebugSession.run(TextSession);
