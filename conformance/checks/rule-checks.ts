import { readTable, type Check } from "./check.js";

const words = (cell: string | undefined): readonly string[] =>
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
