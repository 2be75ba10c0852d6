import { readTable, type Check } from "./check.js";

const words = (cell: string | undefined): readonly string[] =>
  cell === undefined || cell === "" ? [] : cell.split(" ");

/**
 * Checks that the rules of lint judge, in every session of the suite. The last columns are the rules, and messages of
 * which one must occur for the check to be applicable.
 */
export const ruleChecks: readonly Check[] = readTable(
  `
base-01 | must     | The stream has only framed messages                         | Overview, Base protocol              | stream.noise stream.fault bytes.stream-mark bytes.body-mark bytes.line-end-after bytes.blank-lines
base-02 | must     | Messages are numbered from 1, each with its own number      | ProtocolMessage.seq                  | number.order
base-03 | must     | A response belongs to a request                             | Response.request_seq                 | response.unmatched
base-04 | expected | Failures have a reason                                      | Response.message                     | failure.silent
base-08 | must     | Messages have the properties that the schema requires       | The schema                           | schema.issue message.kind
base-09 | expected | Messages are valid in the strict profile              | The schema                           | schema.deviation
base-10 | expected | Keys of objects are unique                                  | Overview, Content Part               | bytes.duplicate-key
base-11 | must     | The adapter sends only messages of adapters                 | The schema                           | message.sender
base-13 | expected | Headers are written as the protocol writes them             | Overview, Header Part                | bytes.line-feed bytes.name-case bytes.no-space bytes.more-space bytes.space-before-colon bytes.length-twice
base-14 | must     | Content-Length counts bytes, and bodies are UTF-8           | Overview, Content Part               | bytes.length-in-characters bytes.ill-formed-utf8
base-15 | info     | Content-Length is the only header                           | Overview, Header Part                | bytes.header-before bytes.header-after bytes.other-header
base-16 | must     | A request has one response                                  | Response                             | response.double
base-17 | must     | A response names its request                                | Response.command                     | response.name
base-18 | must     | Each request is answered                                    | Response                             | request.unanswered
base-20 | info     | Messages are those of the protocol                          | The schema                           | message.custom
base-21 | expected | Names of properties are spelled as in the schema            | The schema                           | schema.misspelt
init-01 | must     | Nothing comes before the response to initialize             | InitializeRequest                    | opening.early
init-06 | must     | The adapter uses only capabilities that the client has announced        | InitializeRequestArguments           | request.capability
init-08 | expected | initialized comes once                                      | InitializedEvent                     | initialized.twice | initialized
init-09 | expected | Responses have only properties that the client has announced | InitializeRequestArguments          | field.capability
launch-08 | info   | launch is answered after configurationDone                  | ConfigurationDoneRequest             | configuration.late-start | configurationDone
bp-05   | info     | Only unverified breakpoints have a reason                   | Breakpoint.reason                    | breakpoint.reason | setBreakpoints
bp-25   | expected | Events name breakpoints that exist                          | BreakpointEvent                      | breakpoint.unknown breakpoint.removed breakpoint.nameless | breakpoint
bp-26   | must     | Each source breakpoint has an answer                        | SetBreakpointsResponse               | answer.breakpoints | setBreakpoints
bp-31   | info     | Breakpoint locations are sorted, each once                  | BreakpointLocationsResponse          | locations.unsorted locations.repeated | breakpointLocations
bp-32   | must     | Each function breakpoint has an answer                      | SetFunctionBreakpointsResponse       | answer.function-breakpoints | setFunctionBreakpoints
bp-33   | must     | Each data breakpoint has an answer                          | SetDataBreakpointsResponse           | answer.data-breakpoints | setDataBreakpoints
bp-34   | must     | Each instruction breakpoint has an answer                   | SetInstructionBreakpointsResponse    | answer.instruction-breakpoints | setInstructionBreakpoints
bp-35   | expected | hitBreakpointIds names breakpoints that exist               | StoppedEvent.hitBreakpointIds        | breakpoint.hit-unknown | stopped
bp-36   | must     | hitBreakpointIds never names logpoints only                 | SourceBreakpoint.logMessage          | stopped.logpoint | stopped
run-01  | expected | A step is answered before it stops                          | NextRequest                          | stopped.before-answer | next stepIn stepOut stepBack
run-02  | info     | continued is not sent after a request that implies it       | ContinuedEvent                       | continued.expected | continue
run-17  | expected | stopped names a thread, or all                              | StoppedEvent                         | stopped.nothing | stopped
run-19  | expected | pause is answered before it stops                           | PauseRequest                         | stopped.before-pause | pause
run-20  | expected | goto is answered before it stops                            | GotoRequest                          | stopped.before-goto | goto
run-21  | expected | restartFrame is answered before it stops                    | RestartFrameRequest                  | stopped.before-restart | restartFrame
run-22  | must     | Targets have ids of their own                               | StepInTarget.id                      | target.repeated | stepInTargets gotoTargets
thr-05  | expected | Threads start and exit once                                 | ThreadEvent                          | thread.exited thread.started-twice thread.exited-twice thread.unknown | thread
thr-06  | must     | Ids of threads are unique                                   | Thread.id                            | thread.repeated | threads
stk-08  | must     | Ids of frames are unique in a stack                         | StackFrame.id                        | frame.repeated | stackTrace
stk-09  | expected | No more frames come than were asked for                     | StackTraceArguments.levels           | answer.frames | stackTrace
stk-10  | expected | Lines start where the client says                           | InitializeRequestArguments.linesStartAt1 | position.line | stackTrace
stk-11  | info     | Sources have a name                                         | Source.name                          | source.nameless | stackTrace
stk-12  | expected | Paths are URIs only if the client wants them                | InitializeRequestArguments.pathFormat | path.native | stackTrace
stk-14  | info     | Columns start where the client says                         | InitializeRequestArguments.columnsStartAt1 | position.column | stackTrace
src-02  | info     | Checksums are hexadecimal                                   | Checksum.checksum                    | checksum.hexadecimal | stackTrace
var-09  | expected | No more variables come than were asked for                  | VariablesArguments.count             | answer.variables | variables
var-12  | expected | A lazy variable has a reference                             | VariablePresentationHint.lazy        | variable.lazy | variables
mod-02  | expected | Module events name modules that exist                       | ModuleEvent                          | module.unknown module.removed | module
mod-03  | expected | No more modules come than were asked for                    | ModulesArguments.moduleCount         | answer.modules | modules
mod-04  | info     | Times of modules are RFC 3339 timestamps                    | Module.dateTimeStamp                 | module.time | modules module
mod-05  | must     | Modules have ids of their own                               | Module.id                            | module.repeated | modules
mod-06  | expected | A module is new once                                        | ModuleEvent.reason                   | module.new-twice | module
mem-04  | must     | Memory is base64                                            | ReadMemoryResponse.data              | memory.base64 | readMemory
mem-07  | expected | Addresses are decimal, or hexadecimal with 0x               | ReadMemoryResponse.address           | memory.address | readMemory disassemble
prg-01  | must     | A progress has an id of its own                             | ProgressStartEvent.progressId        | progress.repeated | progressStart
prg-02  | must     | A progress that starts ends                                 | ProgressEndEvent                     | progress.open | progressStart
prg-03  | expected | Updates and ends belong to a progress that runs             | ProgressUpdateEvent.progressId       | progress.unknown progress.ended | progressStart
prg-04  | expected | A progress names a request that was sent                    | ProgressStartEvent.requestId         | progress.request | progressStart
term-03 | expected | runInTerminal has a command                                 | RunInTerminalRequestArguments.args   | terminal.empty | runInTerminal
chd-02  | must     | Arguments of a child session are those of the adapter       | StartDebuggingRequestArguments       | start.client-property | startDebugging
end-10  | expected | terminated comes once                                       | TerminatedEvent                      | terminated.twice | terminated
end-11  | expected | exited comes once                                           | ExitedEvent                          | exited.twice | exited
end-12  | info     | Nothing comes after the response to disconnect              | DisconnectRequest                    | disconnect.after | disconnect
end-16  | expected | The program does not stop or continue after terminated      | TerminatedEvent                      | terminated.after | terminated
end-17  | expected | The program does not stop or continue after exited          | ExitedEvent                          | exited.after | exited
`,
  ([rules, seen]) => ({ rules: words(rules), seen: words(seen) }),
);
