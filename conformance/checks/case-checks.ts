import { readTable, type Check } from "./check.js";

/** Checks that cases judge. The last column is the capability. */
export const caseChecks: readonly Check[] = readTable(
  `
base-05   | expected | An unknown request fails, and the session continues                   | Response.success
base-06   | must     | Messages may arrive in any parts                                      | Overview, Base protocol
base-07   | must     | Characters of several bytes survive                                   | Overview, Content Part
base-12   | must     | A message of 256 KiB is read                                          | Overview, Base protocol
base-19   | must     | The adapter does not crash                                            | Overview, Debug session end
init-02   | expected | initialized comes after the response to initialize                    | InitializedEvent
init-03   | info     | A second initialize fails                                             | InitializeRequest
init-04   | expected | Lines start at 0 if the client says so                                | InitializeRequestArguments.linesStartAt1
init-05   | expected | Paths are URIs if the client says so                                  | InitializeRequestArguments.pathFormat
init-07   | must     | Announced requests are served                                         | Overview, Initialization
init-10   | expected | Exception filters have ids of their own                               | Capabilities.exceptionBreakpointFilters | exceptionBreakpointFilters
launch-01 | expected | launch may be sent before initialized                                 | Overview, Launch Sequencing
launch-02 | expected | launch is answered at the latest after the configuration              | Overview, Launch Sequencing
launch-03 | expected | The program waits for configurationDone                               | ConfigurationDoneRequest                | supportsConfigurationDoneRequest
launch-04 | expected | launch fails for a missing program                                    | LaunchRequest
launch-05 | expected | noDebug ignores breakpoints                                           | LaunchRequestArguments.noDebug
launch-06 | info     | The process event names the program once                              | ProcessEvent
launch-07 | expected | Requests before the response to launch are answered                   | Response                                | supportsBreakpointLocationsRequest
attach-01 | expected | A program that runs can be attached to, and stops at a breakpoint     | AttachRequest
bp-01     | must     | Breakpoints are answered in the order of the request                  | SetBreakpointsResponse.breakpoints
bp-02     | must     | setBreakpoints replaces the breakpoints of the source                 | SetBreakpointsRequest
bp-03     | expected | A breakpoint that moves reports its line                              | Breakpoint.line
bp-04     | expected | A breakpoint that is verified later is reported                       | Breakpoint.id
bp-06     | expected | A breakpoint stops with the reason breakpoint                         | StoppedEvent.reason
bp-07     | expected | Breakpoints can be set while the program runs                         | SetBreakpointsRequest
bp-08     | expected | A condition that is true stops                                        | SourceBreakpoint.condition              | supportsConditionalBreakpoints
bp-09     | expected | A hit condition counts                                                | SourceBreakpoint.hitCondition           | supportsHitConditionalBreakpoints
bp-10     | must     | A logpoint does not stop                                              | SourceBreakpoint.logMessage             | supportsLogPoints
bp-11     | expected | A function breakpoint stops with its reason                           | SetFunctionBreakpointsRequest           | supportsFunctionBreakpoints
bp-12     | expected | An exception stops with the reason exception                          | SetExceptionBreakpointsRequest          | exceptionBreakpointFilters
bp-13     | info     | An unknown exception filter is not accepted                           | SetExceptionBreakpointsResponse         | exceptionBreakpointFilters
bp-14     | expected | A write stops at a data breakpoint                                    | SetDataBreakpointsRequest               | supportsDataBreakpoints
bp-15     | expected | An instruction breakpoint stops with its reason                       | SetInstructionBreakpointsRequest        | supportsInstructionBreakpoints
bp-16     | info     | Breakpoint locations can be set exactly                               | BreakpointLocationsRequest              | supportsBreakpointLocationsRequest
bp-17     | expected | A breakpoint beyond the end of the file is not verified               | Breakpoint.verified
bp-18     | must     | An empty array clears the breakpoints                                 | SetBreakpointsRequest
bp-19     | expected | hitBreakpointIds has the breakpoint that was hit                      | StoppedEvent.hitBreakpointIds
bp-20     | expected | A condition that is false does not stop                               | SourceBreakpoint.condition              | supportsConditionalBreakpoints
bp-21     | expected | A logpoint prints the values of its expressions                       | SourceBreakpoint.logMessage             | supportsLogPoints
bp-22     | info     | An unknown function is an unverified breakpoint                       | SetFunctionBreakpointsResponse          | supportsFunctionBreakpoints
bp-23     | expected | Exception breakpoints are answered for each filter                    | SetExceptionBreakpointsResponse         | exceptionBreakpointFilters
bp-27     | must     | setBreakpoints keeps the breakpoints of other sources                 | SetBreakpointsRequest
bp-28     | info     | A condition that is not an expression is reported                     | Breakpoint.message                      | supportsConditionalBreakpoints
bp-29     | expected | A hit condition is evaluated only if the condition is met             | SourceBreakpoint.hitCondition           | supportsHitConditionalBreakpoints
bp-30     | expected | Filters with options are answered after filters                       | SetExceptionBreakpointsResponse         | supportsExceptionFilterOptions
exc-01    | expected | exceptionInfo names the exception                                     | ExceptionInfoResponse                   | supportsExceptionInfoRequest
run-03    | info     | continue resumes the only thread of a program                         | ContinueResponse
run-04    | expected | next stops at the next line                                           | NextRequest
run-05    | expected | pause stops with the reason pause                                     | PauseRequest
run-06    | expected | stepIn enters the target                                              | StepInArguments.targetId                | supportsStepInTargetsRequest
run-07    | expected | goto stops with the reason goto                                       | GotoRequest                             | supportsGotoTargetsRequest
run-08    | expected | restartFrame stops with the reason restart                            | RestartFrameRequest                     | supportsRestartFrame
run-09    | expected | stepBack returns to the former line                                   | StepBackRequest                         | supportsStepBack
run-10    | expected | stepIn enters the function                                            | StepInRequest
run-11    | expected | stepOut returns to the caller                                         | StepOutRequest
run-12    | expected | A step stops with the reason step                                     | StoppedEvent.reason
run-13    | expected | pause stops a running program                                         | PauseRequest
run-14    | expected | goto skips the code between                                           | GotoRequest                             | supportsGotoTargetsRequest
run-15    | expected | reverseContinue runs backwards                                        | ReverseContinueRequest                  | supportsStepBack
run-16    | expected | A step of one instruction stays near the line                         | SteppingGranularity                     | supportsSteppingGranularity
run-18    | expected | continue of a single thread says that others have not continued       | ContinueResponse.allThreadsContinued    | supportsSingleThreadExecutionRequests
thr-01    | must     | threads is answered once launch is                                    | Overview, Supporting threads
thr-02    | expected | The thread of stopped is among the threads                            | StoppedEvent.threadId
thr-03    | must     | threads is answered while the program runs                            | Overview, Supporting threads
thr-04    | expected | All threads of the program are listed                                 | ThreadsRequest
thr-07    | expected | A thread keeps its id when it continues                               | Overview, Supporting threads
stk-01    | must     | Without levels, or with 0, all frames come                            | StackTraceArguments.levels
stk-02    | expected | Pages of frames make up the whole stack                               | StackTraceResponse.totalFrames          | supportsDelayedStackTraceLoading
stk-03    | must     | Ids of frames are unique across threads                               | StackFrame.id
stk-04    | expected | Frames without a source have line and column 0                        | StackFrame.line
stk-05    | must     | A sourceReference yields the text of the source                       | Source.sourceReference
stk-06    | expected | The top frame is at the line of the stop                              | StackFrame.line
stk-07    | expected | The top frame names the source                                        | StackFrame.source
src-01    | expected | The program is among the loaded sources                               | LoadedSourcesRequest                    | supportsLoadedSourcesRequest
mod-01    | expected | Modules have ids and names                                            | ModulesResponse                         | supportsModulesRequest
var-01    | must     | References to members yield variables                                 | Variable.variablesReference
var-02    | expected | References end when the program continues                             | Overview, Lifetime of Objects References
var-03    | expected | Pages of variables make up the whole                                  | VariablesArguments.start
var-04    | info     | evaluateName evaluates to the value                                   | Variable.evaluateName
var-05    | expected | setVariable changes the variable                                      | SetVariableRequest                      | supportsSetVariable
var-06    | expected | Local variables are shown with their values                           | VariablesRequest
var-07    | expected | Beyond the last variable there are none                               | VariablesArguments.start
var-08    | expected | setExpression changes the variable                                    | SetExpressionRequest                    | supportsSetExpression
var-10    | expected | The filter named leaves out indexed variables                         | VariablesArguments.filter
var-11    | expected | Members of members can be read                                        | Variable.variablesReference
var-13    | expected | The format hex shows numbers in hexadecimal                           | ValueFormat.hex                         | supportsValueFormattingOptions
var-14    | expected | References to locations yield a line                                  | LocationsRequest
evl-01    | expected | An expression is evaluated in a frame                                 | EvaluateRequest
evl-02    | expected | Completions replace a range of the text                               | CompletionsArguments                    | supportsCompletionsRequest
evl-03    | expected | An invalid expression is a failure                                    | EvaluateRequest
evl-04    | expected | Hovers are evaluated                                                  | EvaluateArguments.context               | supportsEvaluateForHovers
evl-05    | expected | An expression is evaluated without a frame                            | EvaluateArguments.frameId
evl-06    | info     | A hover changes nothing                                               | Capabilities.supportsEvaluateForHovers  | supportsEvaluateForHovers
evl-07    | info     | Expressions of the console are evaluated                              | EvaluateArguments.context
evl-08    | expected | Values for the clipboard are evaluated                                | EvaluateArguments.context               | supportsClipboardContext
mem-01    | must     | readMemory has the bytes, or counts the unreadable ones               | ReadMemoryResponse                      | supportsReadMemoryRequest
mem-02    | must     | disassemble has exactly as many instructions as were asked for        | DisassembleArguments.instructionCount   | supportsDisassembleRequest
mem-03    | expected | readMemory has the bytes that writeMemory has written                 | WriteMemoryRequest                      | supportsWriteMemoryRequest
mem-05    | must     | disassemble has as many instructions for a negative offset            | DisassembleArguments.instructionOffset  | supportsDisassembleRequest
mem-06    | expected | The first instruction is the one at the reference                     | DisassembleArguments.memoryReference    | supportsDisassembleRequest
cxl-01    | must     | A request that is cancelled is answered                               | CancelRequest                           | supportsCancelRequest
cxl-02    | expected | cancel is answered                                                    | CancelRequest                           | supportsCancelRequest
cxl-03    | info     | A request that fails because it is cancelled says so                  | Response.message                        | supportsCancelRequest
out-01    | expected | Standard output has its category, and is complete                     | OutputEvent.category
out-02    | expected | Standard error has its category, and is complete                      | OutputEvent.category
term-01   | expected | A program that the client starts in a terminal is debugged            | RunInTerminalRequest
term-02   | expected | launch fails if the client cannot start the terminal                  | RunInTerminalRequest
chd-01    | expected | A child process stops at its breakpoint in a session of its own       | StartDebuggingRequest
end-01    | must     | terminated follows the end of the program                             | TerminatedEvent
end-02    | must     | disconnect ends a program that was launched                           | DisconnectRequest
end-03    | must     | disconnect leaves a program running that was attached to              | DisconnectRequest
end-04    | expected | disconnect leaves a program running if the client asks for it         | DisconnectArguments.terminateDebuggee   | supportTerminateDebuggee
end-05    | expected | terminate ends the program                                            | TerminateRequest                        | supportsTerminateRequest
end-06    | expected | restart starts the program again, with its breakpoints                | RestartRequest                          | supportsRestartRequest
end-07    | expected | The next client has a session of its own                              | Overview, Debug Session Start
end-08    | expected | exited has the exit code of the program                               | ExitedEvent.exitCode
end-09    | expected | disconnect is answered                                                | DisconnectRequest
end-13    | expected | disconnect ends a program that was attached to if the client asks for it | DisconnectArguments.terminateDebuggee | supportTerminateDebuggee
end-14    | info     | terminate lets the program clean up                                   | TerminateRequest                        | supportsTerminateRequest
end-15    | expected | The adapter exits after disconnect and the end of its input           | Overview, Debug session end
`,
  ([gate]) => (gate === undefined ? {} : { gate }),
);
