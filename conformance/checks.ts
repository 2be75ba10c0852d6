/** How strictly a behaviour is required. Checks with `info` are not scored. */
export type Level = "must" | "expected" | "info";

/** One expected behaviour of an adapter. */
export interface Check {
  readonly id: string;
  /** How a passing adapter behaves, as a sentence. */
  readonly title: string;
  readonly level: Level;
  /** The schema definition or overview section that requires the behaviour. */
  readonly stated: string;
  /** The capability that the check requires. If the check passes, the capability works. */
  readonly gate?: string;
  /**
   * Ids of `wirewright lint` rules. The check fails if any of these rules has a finding about the
   * adapter in any session.
   */
  readonly rules?: readonly string[];
  /**
   * Message names, for a check with rules. The check passes only if at least one of these messages
   * occurs.
   */
  readonly seen?: readonly string[];
}

const levels: readonly string[] = ["must", "expected", "info"];

/**
 * Reads checks from a table whose columns are id, level, title and location, followed by additional
 * columns.
 *
 * @throws Error if a line has too few columns or an unknown level.
 */
export function readTable(
  text: string,
  more: (columns: readonly string[]) => Partial<Check>,
): readonly Check[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [id = "", level = "", title = "", stated = "", ...rest] = line
        .split("|")
        .map((cell) => cell.trim());
      if (!levels.includes(level) || stated === "") throw new Error(`not a check: ${line}`);
      return { id, title, level: level as Level, stated, ...more(rest) };
    });
}

/** Checks judged by cases. The last column names the required capability. */
export const caseChecks: readonly Check[] = readTable(
  `
base-05   | expected | An unknown request fails, and the session continues                                  | Response.success
base-06   | must     | Messages may arrive in arbitrary parts                                               | Overview, Base protocol
base-07   | must     | Multibyte characters are preserved                                                   | Overview, Content Part
base-12   | must     | A message of 256 KiB is accepted                                                     | Overview, Base protocol
base-19   | must     | The adapter does not crash                                                           | Overview, Debug session end
init-02   | expected | \`initialized\` comes after the response to \`initialize\`                           | InitializedEvent
init-03   | info     | A second \`initialize\` fails                                                        | InitializeRequest
init-04   | expected | Lines start at 0 if the client requests it                                           | InitializeRequestArguments.linesStartAt1
init-05   | expected | Paths are URIs if the client requests it                                             | InitializeRequestArguments.pathFormat
init-07   | must     | Announced requests succeed                                                           | Overview, Initialization
init-10   | expected | Exception filter ids are unique                                                      | Capabilities.exceptionBreakpointFilters  | exceptionBreakpointFilters
launch-01 | expected | \`launch\` may be sent before \`initialized\`                                        | Overview, Launch Sequencing
launch-02 | expected | \`launch\` gets a response, at the latest after the configuration                    | Overview, Launch Sequencing
launch-03 | expected | The program waits for \`configurationDone\`                                          | ConfigurationDoneRequest                 | supportsConfigurationDoneRequest
launch-04 | expected | \`launch\` fails if the program is missing                                           | LaunchRequest
launch-05 | expected | \`noDebug\` ignores breakpoints                                                      | LaunchRequestArguments.noDebug
launch-06 | info     | A session contains one \`process\` event, which names the program                    | ProcessEvent
launch-07 | expected | Requests get a response even before \`launch\` does                                  | Response                                 | supportsBreakpointLocationsRequest
attach-01 | expected | After \`attach\`, the running program stops at a breakpoint                          | AttachRequest
bp-01     | must     | Breakpoints appear in the same order in the response as in the request               | SetBreakpointsResponse.breakpoints
bp-02     | must     | \`setBreakpoints\` replaces the source's breakpoints                                 | SetBreakpointsRequest
bp-03     | expected | A moved breakpoint is reported with its new line                                     | Breakpoint.line
bp-04     | expected | If a breakpoint is verified later, an event reports it                               | Breakpoint.id
bp-06     | expected | A stop at a breakpoint has the reason \`breakpoint\`                                 | StoppedEvent.reason
bp-07     | expected | Breakpoints can be set while the program runs                                        | SetBreakpointsRequest
bp-08     | expected | A breakpoint whose condition is true stops the program                               | SourceBreakpoint.condition               | supportsConditionalBreakpoints
bp-09     | expected | A breakpoint with a hit condition stops at the requested hit                         | SourceBreakpoint.hitCondition            | supportsHitConditionalBreakpoints
bp-10     | must     | A logpoint does not stop the program                                                 | SourceBreakpoint.logMessage              | supportsLogPoints
bp-11     | expected | A stop at a function breakpoint has the reason \`function breakpoint\`               | SetFunctionBreakpointsRequest            | supportsFunctionBreakpoints
bp-12     | expected | A stop at an exception has the reason \`exception\`                                  | SetExceptionBreakpointsRequest           | exceptionBreakpointFilters
bp-13     | info     | An unknown exception filter is rejected                                              | SetExceptionBreakpointsResponse          | exceptionBreakpointFilters
bp-14     | expected | The program stops when it writes to a variable that has a data breakpoint            | SetDataBreakpointsRequest                | supportsDataBreakpoints
bp-15     | expected | A stop at an instruction breakpoint has the reason \`instruction breakpoint\`        | SetInstructionBreakpointsRequest         | supportsInstructionBreakpoints
bp-16     | info     | Breakpoints can be set at exactly the breakpoint locations                           | BreakpointLocationsRequest               | supportsBreakpointLocationsRequest
bp-17     | expected | A breakpoint beyond the end of the file is not verified                              | Breakpoint.verified
bp-18     | must     | An empty array clears the breakpoints                                                | SetBreakpointsRequest
bp-19     | expected | \`hitBreakpointIds\` contains the breakpoint that was hit                            | StoppedEvent.hitBreakpointIds
bp-20     | expected | A breakpoint whose condition is false does not stop the program                      | SourceBreakpoint.condition               | supportsConditionalBreakpoints
bp-21     | expected | A logpoint prints the values of its expressions                                      | SourceBreakpoint.logMessage              | supportsLogPoints
bp-22     | info     | A breakpoint on an unknown function is not verified                                  | SetFunctionBreakpointsResponse           | supportsFunctionBreakpoints
bp-23     | expected | The response contains an exception breakpoint for each filter                        | SetExceptionBreakpointsResponse          | exceptionBreakpointFilters
bp-27     | must     | \`setBreakpoints\` keeps breakpoints in other sources                                | SetBreakpointsRequest
bp-28     | info     | A condition that is not a valid expression is reported                               | Breakpoint.message                       | supportsConditionalBreakpoints
bp-29     | expected | A hit condition is evaluated only if the condition is true                           | SourceBreakpoint.hitCondition            | supportsHitConditionalBreakpoints
bp-30     | expected | The response contains a breakpoint for each filter, and for each filter with options | SetExceptionBreakpointsResponse          | supportsExceptionFilterOptions
exc-01    | expected | \`exceptionInfo\` returns the exception's id                                         | ExceptionInfoResponse                    | supportsExceptionInfoRequest
run-03    | info     | \`continue\` resumes a program's only thread                                         | ContinueResponse
run-04    | expected | \`next\` stops at the next line                                                      | NextRequest
run-05    | expected | A stop after \`pause\` has the reason \`pause\`                                      | PauseRequest
run-06    | expected | \`stepIn\` enters the target                                                         | StepInArguments.targetId                 | supportsStepInTargetsRequest
run-07    | expected | A stop after \`goto\` has the reason \`goto\`                                        | GotoRequest                              | supportsGotoTargetsRequest
run-08    | expected | A stop after \`restartFrame\` has the reason \`restart\`                             | RestartFrameRequest                      | supportsRestartFrame
run-09    | expected | \`stepBack\` returns to the previous line                                            | StepBackRequest                          | supportsStepBack
run-10    | expected | \`stepIn\` enters the function                                                       | StepInRequest
run-11    | expected | \`stepOut\` returns to the caller                                                    | StepOutRequest
run-12    | expected | A stop after a step has the reason \`step\`                                          | StoppedEvent.reason
run-13    | expected | \`pause\` stops a running program                                                    | PauseRequest
run-14    | expected | \`goto\` does not run the code in between                                            | GotoRequest                              | supportsGotoTargetsRequest
run-15    | expected | \`reverseContinue\` runs backwards                                                   | ReverseContinueRequest                   | supportsStepBack
run-16    | expected | A step of one instruction stops on the same line or the next                         | SteppingGranularity                      | supportsSteppingGranularity
run-18    | expected | If only one thread continues, \`allThreadsContinued\` is false                       | ContinueResponse.allThreadsContinued     | supportsSingleThreadExecutionRequests
thr-01    | must     | After the response to \`launch\`, \`threads\` gets a response                        | Overview, Supporting threads
thr-02    | expected | The thread in a stopped event is in the thread list                                  | StoppedEvent.threadId
thr-03    | must     | \`threads\` gets a response while the program runs                                   | Overview, Supporting threads
thr-04    | expected | All threads of the program are listed                                                | ThreadsRequest
thr-07    | expected | A thread keeps its id when it continues                                              | Overview, Supporting threads
stk-01    | must     | If \`levels\` is absent or 0, all frames are returned                                | StackTraceArguments.levels
stk-02    | expected | The pages of a stack add up to the whole stack                                       | StackTraceResponse.totalFrames           | supportsDelayedStackTraceLoading
stk-03    | must     | Stack frame ids are unique across threads                                            | StackFrame.id
stk-04    | expected | Frames without a source have line and column 0                                       | StackFrame.line
stk-05    | must     | A \`sourceReference\` leads to the source's text                                     | Source.sourceReference
stk-06    | expected | The top frame is at the line where the program stopped                               | StackFrame.line
stk-07    | expected | The top frame contains the source in which the program stopped                       | StackFrame.source
src-01    | expected | The program is among the loaded sources                                              | LoadedSourcesRequest                     | supportsLoadedSourcesRequest
mod-01    | expected | Modules have ids and names                                                           | ModulesResponse                          | supportsModulesRequest
var-01    | must     | A variable's \`variablesReference\` returns its members                              | Variable.variablesReference
var-02    | expected | Variables references become invalid once the program continues                       | Overview, Lifetime of Objects References
var-03    | expected | Pages of variables together contain all variables                                       | VariablesArguments.start
var-04    | info     | A variable's \`evaluateName\` evaluates to its value                                 | Variable.evaluateName
var-05    | expected | \`setVariable\` changes the variable                                                 | SetVariableRequest                       | supportsSetVariable
var-06    | expected | Local variables are shown with their values                                          | VariablesRequest
var-07    | expected | A page after the last variable is empty                                              | VariablesArguments.start
var-08    | expected | \`setExpression\` changes the variable                                               | SetExpressionRequest                     | supportsSetExpression
var-10    | expected | With the \`named\` filter, the response contains no indexed variables                | VariablesArguments.filter
var-11    | expected | Nested members can be read                                                           | Variable.variablesReference
var-13    | expected | With the \`hex\` format option, numbers are hexadecimal                              | ValueFormat.hex                          | supportsValueFormattingOptions
var-14    | expected | A location reference leads to a source and a line                                    | LocationsRequest
evl-01    | expected | An expression can be evaluated in a frame                                            | EvaluateRequest
evl-02    | expected | A completion replaces a range within the text                                        | CompletionsArguments                     | supportsCompletionsRequest
evl-03    | expected | Evaluating an invalid expression fails                                               | EvaluateRequest
evl-04    | expected | Expressions can be evaluated in the \`hover\` context                                | EvaluateArguments.context                | supportsEvaluateForHovers
evl-05    | expected | An expression can be evaluated without a frame                                       | EvaluateArguments.frameId
evl-06    | info     | Evaluation in the \`hover\` context has no side effects                              | Capabilities.supportsEvaluateForHovers   | supportsEvaluateForHovers
evl-07    | info     | Expressions can be evaluated in the \`repl\` context                                 | EvaluateArguments.context
evl-08    | expected | Expressions can be evaluated in the \`clipboard\` context                            | EvaluateArguments.context                | supportsClipboardContext
mem-01    | must     | \`readMemory\` returns the bytes, or the number of unreadable bytes                  | ReadMemoryResponse                       | supportsReadMemoryRequest
mem-02    | must     | \`disassemble\` returns exactly the requested number of instructions                 | DisassembleArguments.instructionCount    | supportsDisassembleRequest
mem-03    | expected | \`readMemory\` returns the bytes that \`writeMemory\` wrote                          | WriteMemoryRequest                       | supportsWriteMemoryRequest
mem-05    | must     | With a negative offset, \`disassemble\` returns the requested number of instructions | DisassembleArguments.instructionOffset   | supportsDisassembleRequest
mem-06    | expected | The first disassembled instruction is at the memory reference                        | DisassembleArguments.memoryReference     | supportsDisassembleRequest
cxl-01    | must     | A cancelled request gets a response                                                  | CancelRequest                            | supportsCancelRequest
cxl-02    | expected | \`cancel\` gets a response                                                           | CancelRequest                            | supportsCancelRequest
cxl-03    | info     | A cancelled request fails with the message \`cancelled\`                             | Response.message                         | supportsCancelRequest
out-01    | expected | Standard output is complete and has the category \`stdout\`                          | OutputEvent.category
out-02    | expected | Standard error is complete and has the category \`stderr\`                           | OutputEvent.category
term-01   | expected | The adapter debugs a program that the client starts in a terminal                    | RunInTerminalRequest
term-02   | expected | \`launch\` fails if the client cannot start the terminal                             | RunInTerminalRequest
chd-01    | expected | A child process stops at its breakpoint in a separate session                        | StartDebuggingRequest
end-01    | must     | \`terminated\` is sent after the program ends                                        | TerminatedEvent
end-02    | must     | \`disconnect\` ends a launched program                                               | DisconnectRequest
end-03    | must     | \`disconnect\` keeps an attached program running                                     | DisconnectRequest
end-04    | expected | \`disconnect\` keeps a launched program running if the client requests it            | DisconnectArguments.terminateDebuggee    | supportTerminateDebuggee
end-05    | expected | \`terminate\` ends the program                                                       | TerminateRequest                         | supportsTerminateRequest
end-06    | expected | \`restart\` starts the program again, with its breakpoints                           | RestartRequest                           | supportsRestartRequest
end-07    | expected | The next client gets a new session                                                   | Overview, Debug Session Start
end-08    | expected | \`exited\` contains the program's exit code                                          | ExitedEvent.exitCode
end-09    | expected | \`disconnect\` gets a response                                                       | DisconnectRequest
end-13    | expected | \`disconnect\` ends an attached program if the client requests it                    | DisconnectArguments.terminateDebuggee    | supportTerminateDebuggee
end-14    | info     | \`terminate\` allows the program to clean up                                         | TerminateRequest                         | supportsTerminateRequest
end-15    | expected | The adapter exits after \`disconnect\`, once its input ends                          | Overview, Debug session end
`,
  ([gate]) => ({ gate }),
);

export const words = (cell: string | undefined): readonly string[] =>
  cell === undefined || cell === "" ? [] : cell.split(" ");

/**
 * Checks decided by lint rules in every session that the suite runs. The last two columns contain
 * rules and message names. A check applies to an adapter if at least one of these messages occurs.
 */
export const ruleChecks: readonly Check[] = readTable(
  `
base-01   | must     | The stream contains only framed messages                                   | Overview, Base protocol                    | stream.noise stream.fault bytes.stream-mark bytes.body-mark bytes.line-end-after bytes.blank-lines
base-02   | must     | Message numbers start at 1 and increase                                    | ProtocolMessage.seq                        | number.order
base-03   | must     | Each response belongs to a request                                         | Response.request_seq                       | response.unmatched
base-04   | expected | Failed responses contain a reason                                          | Response.message                           | failure.silent
base-08   | must     | Messages have the properties that the schema requires                      | The schema                                 | schema.issue message.kind
base-09   | expected | Messages conform to the strict profile                                     | The schema                                 | schema.deviation
base-10   | expected | Object keys are unique                                                     | Overview, Content Part                     | bytes.duplicate-key
base-11   | must     | The adapter sends only messages that adapters may send                     | The schema                                 | message.sender
base-13   | expected | Headers are written exactly as in the specification                        | Overview, Header Part                      | bytes.line-feed bytes.name-case bytes.no-space bytes.more-space bytes.space-before-colon bytes.length-twice
base-14   | must     | \`Content-Length\` counts bytes, and bodies are UTF-8                      | Overview, Content Part                     | bytes.length-in-characters bytes.ill-formed-utf8
base-15   | info     | \`Content-Length\` is the only header                                      | Overview, Header Part                      | bytes.header-before bytes.header-after bytes.other-header
base-16   | must     | A request gets only one response                                           | Response                                   | response.double
base-17   | must     | A response carries the same command as its request                         | Response.command                           | response.name
base-18   | must     | Each request gets a response                                               | Response                                   | request.unanswered
base-20   | info     | All messages are defined in the protocol                                   | The schema                                 | message.custom
base-21   | expected | Property names are spelled as in the schema                                | The schema                                 | schema.misspelt
init-01   | must     | No message comes before the response to \`initialize\`                     | InitializeRequest                          | opening.early
init-06   | must     | The adapter sends only messages that the client supports                   | InitializeRequestArguments                 | request.capability
init-08   | expected | \`initialized\` is sent only once                                          | InitializedEvent                           | initialized.twice | initialized
init-09   | expected | The adapter sends only properties that the client supports                 | InitializeRequestArguments                 | field.capability
launch-08 | info     | The response to \`launch\` comes after \`configurationDone\`               | ConfigurationDoneRequest                   | configuration.late-start | configurationDone
bp-05     | info     | Only unverified breakpoints have a reason                                  | Breakpoint.reason                          | breakpoint.reason | setBreakpoints
bp-25     | expected | Breakpoint events refer to existing breakpoints                            | BreakpointEvent                            | breakpoint.unknown breakpoint.removed breakpoint.nameless | breakpoint
bp-26     | must     | The response contains an entry for each source breakpoint                  | SetBreakpointsResponse                     | answer.breakpoints | setBreakpoints
bp-31     | info     | Breakpoint locations are sorted and unique                                 | BreakpointLocationsResponse                | locations.unsorted locations.repeated | breakpointLocations
bp-32     | must     | The response contains an entry for each function breakpoint                | SetFunctionBreakpointsResponse             | answer.function-breakpoints | setFunctionBreakpoints
bp-33     | must     | The response contains an entry for each data breakpoint                    | SetDataBreakpointsResponse                 | answer.data-breakpoints | setDataBreakpoints
bp-34     | must     | The response contains an entry for each instruction breakpoint             | SetInstructionBreakpointsResponse          | answer.instruction-breakpoints | setInstructionBreakpoints
bp-35     | expected | \`hitBreakpointIds\` refers to existing breakpoints                        | StoppedEvent.hitBreakpointIds              | breakpoint.hit-unknown | stopped
bp-36     | must     | \`hitBreakpointIds\` never contains only logpoints                         | SourceBreakpoint.logMessage                | stopped.logpoint | stopped
run-01    | expected | The response to a step comes before the stop                               | NextRequest                                | stopped.before-answer | next stepIn stepOut stepBack
run-02    | info     | \`continued\` is not sent after a request that already implies it          | ContinuedEvent                             | continued.expected | continue
run-17    | expected | \`stopped\` contains a thread, or sets \`allThreadsStopped\`               | StoppedEvent                               | stopped.nothing | stopped
run-19    | expected | The response to \`pause\` comes before the stop                            | PauseRequest                               | stopped.before-pause | pause
run-20    | expected | The response to \`goto\` comes before the stop                             | GotoRequest                                | stopped.before-goto | goto
run-21    | expected | The response to \`restartFrame\` comes before the stop                     | RestartFrameRequest                        | stopped.before-restart | restartFrame
run-22    | must     | Each step-in target and goto target has a unique id                        | StepInTarget.id                            | target.repeated | stepInTargets gotoTargets
thr-05    | expected | Each thread starts and exits once                                          | ThreadEvent                                | thread.exited thread.started-twice thread.exited-twice thread.unknown | thread
thr-06    | must     | Thread ids are unique                                                      | Thread.id                                  | thread.repeated | threads
stk-08    | must     | Stack frame ids are unique within a stack                                  | StackFrame.id                              | frame.repeated | stackTrace
stk-09    | expected | No more frames are returned than requested                                 | StackTraceArguments.levels                 | answer.frames | stackTrace
stk-10    | expected | Lines start at 0 or 1, as the client requests                              | InitializeRequestArguments.linesStartAt1   | position.line | stackTrace
stk-11    | info     | Sources have a name                                                        | Source.name                                | source.nameless | stackTrace
stk-12    | expected | Paths are URIs only if the client requests it                              | InitializeRequestArguments.pathFormat      | path.native | stackTrace
stk-14    | info     | Columns start at 0 or 1, as the client requests                            | InitializeRequestArguments.columnsStartAt1 | position.column | stackTrace
src-02    | info     | Checksums are hexadecimal                                                  | Checksum.checksum                          | checksum.hexadecimal | stackTrace
var-09    | expected | No more variables are returned than requested                              | VariablesArguments.count                   | answer.variables | variables
var-12    | expected | A lazy variable has a reference                                            | VariablePresentationHint.lazy              | variable.lazy | variables
mod-02    | expected | Module events refer to existing modules                                    | ModuleEvent                                | module.unknown module.removed | module
mod-03    | expected | No more modules are returned than requested                                | ModulesArguments.moduleCount               | answer.modules | modules
mod-04    | info     | Module times are RFC 3339 timestamps                                       | Module.dateTimeStamp                       | module.time | modules module
mod-05    | must     | Module ids are unique                                                      | Module.id                                  | module.repeated | modules
mod-06    | expected | A module is reported as new only once                                      | ModuleEvent.reason                         | module.new-twice | module
mem-04    | must     | Memory contents are encoded as base64                                      | ReadMemoryResponse.data                    | memory.base64 | readMemory
mem-07    | expected | Addresses are hexadecimal if prefixed with \`0x\`, decimal otherwise       | ReadMemoryResponse.address                 | memory.address | readMemory disassemble
prg-01    | must     | Progress report ids are unique                                             | ProgressStartEvent.progressId              | progress.repeated | progressStart
prg-02    | must     | Each progress report ends                                                  | ProgressEndEvent                           | progress.open | progressStart
prg-03    | expected | Progress reports are updated or ended only while they are open             | ProgressUpdateEvent.progressId             | progress.unknown progress.ended | progressStart
prg-04    | expected | Progress reports refer only to requests that were sent                     | ProgressStartEvent.requestId               | progress.request | progressStart
term-03   | expected | \`runInTerminal\` contains a command                                       | RunInTerminalRequestArguments.args         | terminal.empty | runInTerminal
chd-02    | must     | A child session's configuration contains no client-only properties         | StartDebuggingRequestArguments             | start.client-property | startDebugging
end-10    | expected | \`terminated\` is sent only once                                           | TerminatedEvent                            | terminated.twice | terminated
end-11    | expected | \`exited\` is sent only once                                               | ExitedEvent                                | exited.twice | exited
end-12    | info     | No message comes after the response to \`disconnect\`                      | DisconnectRequest                          | disconnect.after | disconnect
end-16    | expected | The program does not stop or continue after \`terminated\`                 | TerminatedEvent                            | terminated.after | terminated
end-17    | expected | The program does not stop or continue after \`exited\`                     | ExitedEvent                                | exited.after | exited
`,
  ([rules, seen]) => ({ rules: words(rules), seen: words(seen) }),
);

export const checks: readonly Check[] = [...caseChecks, ...ruleChecks];
