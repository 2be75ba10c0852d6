import type { LintFinding } from "wirewright";

/**
 * How strictly a behaviour is required: `must` only if the sentence says "must" or "required", or
 * the schema requires it. Checks with `info` are not scored.
 */
export type Level = "must" | "should" | "info";

/** One expected behaviour of an adapter. */
export interface Check {
  readonly id: string;
  /** How a passing adapter behaves, as a sentence. */
  readonly title: string;
  readonly level: Level;
  /** The schema definition or overview section that requires the behaviour. */
  readonly stated: string;
  /**
   * The sentence there that requires it, or a part of it. Absent if the schema itself requires it, or
   * if it is common practice.
   */
  readonly sentence?: string;
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

/**
 * Returns a function that finds the check that fails because of a lint finding. A missing id, or
 * the id 0, fails the check on sequence numbers.
 */
export function checkByRule(checks: readonly Check[]): (finding: LintFinding) => Check | undefined {
  const byRule = new Map(
    checks.flatMap((check) => (check.rules ?? []).map((rule) => [rule, check])),
  );
  return ({ rule, pointer }) =>
    byRule.get(pointer === "/seq" && rule === "schema.deviation" ? "number.order" : rule);
}

const levels: readonly string[] = ["must", "should", "info"];

/** What `stated` says about a check without a sentence. Its level is `info`. */
export const commonPractice = "no sentence: common practice";

/**
 * Reads checks from a table whose columns are id, level, title and location, followed by additional
 * columns. An indented line after a check is its sentence.
 *
 * @throws Error if a line has too few columns or an unknown level.
 */
export function readTable(
  text: string,
  more: (columns: readonly string[]) => Partial<Check>,
): readonly Check[] {
  return text
    .trim()
    .split(/\n(?! )/)
    .map((lines) => {
      const [line = "", sentence] = lines.split("\n").map((each) => each.trim());
      const [id = "", level = "", title = "", stated = "", ...rest] = line
        .split("|")
        .map((cell) => cell.trim());
      if (!levels.includes(level) || stated === "") throw new Error(`not a check: ${line}`);
      return { id, title, level: level as Level, stated, sentence, ...more(rest) };
    });
}

/** Checks judged by cases. The last column names the required capability. */
export const caseChecks: readonly Check[] = readTable(
  `
base-05   | info   | An unknown request fails, and the session continues                                  | no sentence: common practice
base-06   | should | Messages may arrive in arbitrary parts                                               | Overview, Base protocol
    exchanges messages that consist of a header and a content part
base-07   | should | Multibyte characters are preserved                                                   | Overview, Content Part
    The content part is encoded using \`utf-8\`.
base-12   | info   | A message of 256 KiB is accepted                                                     | no sentence: common practice
base-19   | info   | The adapter does not crash                                                           | no sentence: common practice
init-02   | should | \`initialized\` comes after the response to \`initialize\`                           | InitializedEvent
    but not before the \`initialize\` request has finished
init-03   | info   | A second \`initialize\` fails                                                        | InitializeRequest
    The \`initialize\` request may only be sent once.
init-04   | should | Lines start at 0 if the client requests it                                           | InitializeRequestArguments.linesStartAt1
    If true all line numbers are 1-based (default).
init-05   | should | Paths are URIs if the client requests it                                             | InitializeRequestArguments.pathFormat
    Determines in what format paths are specified.
init-07   | should | Announced requests succeed                                                           | Overview, Initialization
    flag that lets a development tool know whether a debug adapter supports the feature
init-10   | should | Exception filter ids are unique                                                      | ExceptionBreakpointsFilter.filter                       | exceptionBreakpointFilters
    The internal ID of the filter option.
launch-01 | should | \`launch\` may be sent before \`initialized\`                                        | Overview, Launch Sequencing
    At any point after the client receives the capabilities, it sends a \`launch\`
launch-02 | should | \`launch\` gets a response, at the latest after the configuration                    | Overview, Launch Sequencing
    After the response to \`configurationDone\` is sent, the debug adapter may respond to the \`launch\`
launch-03 | should | The program waits for \`configurationDone\`                                          | Overview, Configuring breakpoint and exception behavior | supportsConfigurationDoneRequest
    must be passed to the debug adapter before program execution starts
launch-04 | should | \`launch\` fails if the program is missing                                           | Response.success
    If true, the request was successful
launch-05 | should | \`noDebug\` ignores breakpoints                                                      | LaunchRequestArguments.noDebug
    If true, the launch request should launch the program without enabling debugging.
launch-06 | info   | A session contains one \`process\` event, which names the program                    | ProcessEvent
    The event indicates that the debugger has begun debugging a new process.
launch-07 | should | Requests get a response even before \`launch\` does                                  | Response                                                | supportsBreakpointLocationsRequest
    Response for a request.
attach-01 | should | After \`attach\`, the running program stops at a breakpoint                          | AttachRequest
    to attach to a debuggee that is already running
bp-01     | should | Breakpoints appear in the same order in the response as in the request               | SetBreakpointsResponse
    The breakpoints returned are in the same order as the elements of the \`breakpoints\`
bp-02     | should | \`setBreakpoints\` replaces the source's breakpoints                                 | SetBreakpointsRequest
    clears all previous breakpoints in that source
bp-03     | should | A moved breakpoint is reported with its new line                                     | Breakpoint.line
    The start line of the actual range covered by the breakpoint.
bp-04     | should | If a breakpoint is verified later, an event reports it                               | Overview, Configuring breakpoint and exception behavior
    the debug adapter should use the breakpoint event to notify the client
bp-06     | should | A stop at a breakpoint has the reason \`breakpoint\`                                 | SetBreakpointsRequest
    When a breakpoint is hit, a \`stopped\` event (with reason \`breakpoint\`) is generated.
bp-07     | info   | Breakpoints can be set while the program runs                                        | no sentence: common practice
bp-08     | should | A breakpoint whose condition is true stops the program                               | SourceBreakpoint.condition                              | supportsConditionalBreakpoints
    The expression for conditional breakpoints.
bp-09     | should | A breakpoint with a hit condition stops at the requested hit                         | SourceBreakpoint.hitCondition                           | supportsHitConditionalBreakpoints
    The expression that controls how many hits of the breakpoint are ignored.
bp-10     | must   | A logpoint does not stop the program                                                 | SourceBreakpoint.logMessage                             | supportsLogPoints
    the debug adapter must not 'break' (stop) but log the message instead
bp-11     | should | A stop at a function breakpoint has the reason \`function breakpoint\`               | SetFunctionBreakpointsRequest                           | supportsFunctionBreakpoints
    When a function breakpoint is hit, a \`stopped\` event (with reason \`function breakpoint\`) is generated.
bp-12     | should | A stop at an exception has the reason \`exception\`                                  | SetExceptionBreakpointsRequest                          | exceptionBreakpointFilters
    An exception thrown in a program should result in a \`stopped\` event
bp-13     | info   | An unknown exception filter is rejected                                              | SetExceptionBreakpointsResponse                         | exceptionBreakpointFilters
    signals whether the exception breakpoint or filter could be successfully created
bp-14     | should | The program stops when it writes to a variable that has a data breakpoint            | SetDataBreakpointsRequest                               | supportsDataBreakpoints
    When a data breakpoint is hit, a \`stopped\` event (with reason \`data breakpoint\`) is generated.
bp-15     | should | A stop at an instruction breakpoint has the reason \`instruction breakpoint\`        | SetInstructionBreakpointsRequest                        | supportsInstructionBreakpoints
    When an instruction breakpoint is hit, a \`stopped\` event (with reason \`instruction breakpoint\`) is generated.
bp-16     | info   | Breakpoints can be set at exactly the breakpoint locations                           | BreakpointLocationsRequest                              | supportsBreakpointLocationsRequest
    returns all possible locations for source breakpoints in a given range
bp-17     | should | A breakpoint beyond the end of the file is not verified                              | Breakpoint.verified
    If true, the breakpoint could be set (but not necessarily at the desired location).
bp-18     | should | An empty array clears the breakpoints                                                | SetBreakpointsRequest
    To clear all breakpoint for a source, specify an empty array.
bp-19     | should | \`hitBreakpointIds\` contains the breakpoint that was hit                            | StoppedEvent.hitBreakpointIds
    Ids of the breakpoints that triggered the event.
bp-20     | should | A breakpoint whose condition is false does not stop the program                      | SourceBreakpoint.condition                              | supportsConditionalBreakpoints
    The expression for conditional breakpoints.
bp-21     | should | A logpoint prints the values of its expressions                                      | SourceBreakpoint.logMessage                             | supportsLogPoints
    Expressions within \`{}\` are interpolated.
bp-22     | info   | A breakpoint on an unknown function is not verified                                  | Breakpoint.verified                                     | supportsFunctionBreakpoints
    If true, the breakpoint could be set (but not necessarily at the desired location).
bp-23     | should | The response contains an exception breakpoint for each filter                        | SetExceptionBreakpointsResponse                         | exceptionBreakpointFilters
    with information about each exception breakpoint or filter
bp-27     | should | \`setBreakpoints\` keeps breakpoints in other sources                                | SetBreakpointsRequest
    clears all previous breakpoints in that source
bp-28     | info   | A condition that is not a valid expression is reported                               | Breakpoint.message                                      | supportsConditionalBreakpoints
    can be used to explain why a breakpoint could not be verified
bp-29     | should | A hit condition is evaluated only if the condition is true                           | SourceBreakpoint.hitCondition
    \`hitCondition\` should be evaluated only if the \`condition\` is met
bp-30     | should | The response contains a breakpoint for each filter, and for each filter with options | SetExceptionBreakpointsResponse                         | supportsExceptionFilterOptions
    the returned array must start with \`filters\` information first, followed by \`filterOptions\` information
bp-38     | should | \`setFunctionBreakpoints\` replaces the function breakpoints                         | SetFunctionBreakpointsRequest                        | supportsFunctionBreakpoints
    Replaces all existing function breakpoints with new function breakpoints.
bp-39     | should | An empty array clears the function breakpoints                                       | SetFunctionBreakpointsRequest                        | supportsFunctionBreakpoints
    To clear all function breakpoints, specify an empty array.
bp-40     | should | An empty array clears the data breakpoints                                           | SetDataBreakpointsRequest                            | supportsDataBreakpoints
    To clear all data breakpoints, specify an empty array.
bp-41     | should | An empty array clears the instruction breakpoints                                    | SetInstructionBreakpointsRequest                     | supportsInstructionBreakpoints
    To clear all instruction breakpoints, specify an empty array.
bp-42     | should | An exception does not stop the program if no filter is set                           | SetExceptionBreakpointsRequest                       | exceptionBreakpointFilters
    if any of the configured filters match
exc-01    | should | \`exceptionInfo\` returns the exception's id                                         | ExceptionInfoResponse.exceptionId                       | supportsExceptionInfoRequest
    ID of the exception that was thrown.
run-03    | info   | \`continue\` resumes a program's only thread                                         | ContinueResponse.allThreadsContinued
    this response signals to the client that all threads have been resumed
run-04    | should | \`next\` stops at the next line                                                      | NextRequest
    The request executes one step (in the given granularity) for the specified thread
run-05    | should | A stop after \`pause\` has the reason \`pause\`                                      | PauseRequest
    then a \`stopped\` event (with reason \`pause\`) after the thread has been paused successfully
run-06    | should | \`stepIn\` enters the target                                                         | StepInArguments.targetId                                | supportsStepInTargetsRequest
    Id of the target to step into.
run-07    | should | A stop after \`goto\` has the reason \`goto\`                                        | GotoRequest                                             | supportsGotoTargetsRequest
    first sends the response and then a \`stopped\` event with reason \`goto\`
run-08    | should | A stop after \`restartFrame\` has the reason \`restart\`                             | RestartFrameRequest                                     | supportsRestartFrame
    then a \`stopped\` event (with reason \`restart\`) after the restart has completed
run-09    | should | \`stepBack\` returns to the previous line                                            | StepBackRequest                                         | supportsStepBack
    executes one backward step (in the given granularity) for the specified thread
run-10    | should | \`stepIn\` enters the function                                                       | StepInRequest
    resumes the given thread to step into a function/method
run-11    | should | \`stepOut\` returns to the caller                                                    | StepOutRequest
    resumes the given thread to step out (return) from a function/method
run-12    | should | A stop after a step has the reason \`step\`                                          | NextRequest
    then a \`stopped\` event (with reason \`step\`) after the step has completed
run-13    | should | \`pause\` stops a running program                                                    | PauseRequest
    The request suspends the debuggee.
run-14    | should | \`goto\` does not run the code in between                                            | GotoRequest                                             | supportsGotoTargetsRequest
    The code between the current location and the goto target is not executed but skipped.
run-15    | should | \`reverseContinue\` runs backwards                                                   | ReverseContinueRequest                                  | supportsStepBack
    The request resumes backward execution of all threads.
run-16    | should | A step of one instruction stops on the same line or the next                         | SteppingGranularity                                     | supportsSteppingGranularity
    The step should allow one instruction to execute
run-23    | should | \`stepIn\` stops at the next line if there is nothing to step into                     | StepInRequest
    If the request cannot step into a target, \`stepIn\` behaves like the \`next\` request.
run-18    | should | If only one thread continues, \`allThreadsContinued\` is false                       | ContinueResponse.allThreadsContinued                    | supportsSingleThreadExecutionRequests
    The value \`false\` indicates that not all threads were resumed.
thr-01    | must   | After the response to \`launch\`, \`threads\` gets a response                        | Overview, Supporting threads
    it must implement the threads request and return a single (dummy) thread
thr-02    | should | The thread in a stopped event is in the thread list                                  | StoppedEvent.threadId
    The thread which was stopped.
thr-03    | should | \`threads\` gets a response while the program runs                                   | Overview, Supporting threads
    the development tool requests the baseline of currently existing threads
thr-04    | should | All threads of the program are listed                                                | ThreadsRequest
    The request retrieves a list of all threads.
thr-07    | should | A thread keeps its id when it continues                                              | Overview, Lifetime of Objects References
    other object references like \`threadId\` do not have limited lifetime
stk-01    | should | If \`levels\` is absent or 0, all frames are returned                                | StackTraceArguments.levels
    If levels is not specified or 0, all frames are returned.
stk-02    | should | The pages of a stack add up to the whole stack                                       | StackTraceResponse.totalFrames                          | supportsDelayedStackTraceLoading
    The total number of frames available in the stack.
stk-03    | must   | Stack frame ids are unique across threads                                            | StackFrame.id
    It must be unique across all threads.
stk-04    | should | Frames without a source have line and column 0                                       | StackFrame.line
    If the source attribute is missing or doesn't exist, \`line\` is 0
stk-05    | should | A \`sourceReference\` leads to the source's text                                     | Source.sourceReference
    the contents of the source must be retrieved through the \`source\` request
stk-06    | should | The top frame is at the line where the program stopped                               | StackFrame.line
    The line within the source of the frame.
stk-07    | should | The top frame contains the source in which the program stopped                       | StackFrame.source
    The source of the frame.
stk-15    | should | \`scopes\` returns the variables of the requested frame                              | ScopesArguments.frameId
    Retrieve the scopes for the stack frame identified by \`frameId\`.
src-01    | should | The program is among the loaded sources                                              | LoadedSourcesRequest                                    | supportsLoadedSourcesRequest
    Retrieves the set of all sources currently loaded by the debugged process.
mod-01    | should | Modules have ids and names                                                           | Module                                                  | supportsModulesRequest
    The \`name\` attribute is used to minimally render the module in the UI.
var-01    | should | A variable's \`variablesReference\` returns its members                              | Variable.variablesReference
    its children can be retrieved by passing \`variablesReference\` to the \`variables\` request
var-02    | info   | Variables references become invalid once the program continues                       | Overview, Lifetime of Objects References
    object references no longer refer to the same objects
var-03    | should | Pages of variables together contain all variables                                    | VariablesArguments.start
    The index of the first variable to return
var-04    | info   | A variable's \`evaluateName\` evaluates to its value                                 | Variable.evaluateName
    can be passed to the \`evaluate\` request to fetch the variable's value
var-05    | should | \`setVariable\` changes the variable                                                 | SetVariableRequest                                      | supportsSetVariable
    Set the variable with the given name in the variable container to a new value.
var-06    | should | Local variables are shown with their values                                          | VariablesRequest
    Retrieves all child variables for the given variable reference.
var-07    | should | A page after the last variable is empty                                              | VariablesArguments.start
    the debug adapter should return an empty array
var-08    | should | \`setExpression\` changes the variable                                               | SetExpressionRequest                                    | supportsSetExpression
    Evaluates the given \`value\` expression and assigns it to the \`expression\`
var-10    | should | With the \`named\` filter, the response contains no indexed variables                | VariablesArguments.filter
    Filter to limit the child variables to either named or indexed.
var-11    | should | Nested members can be read                                                           | Variable.variablesReference
    its children can be retrieved by passing \`variablesReference\` to the \`variables\` request
var-13    | should | With the \`hex\` format option, numbers are hexadecimal                              | ValueFormat.hex                                         | supportsValueFormattingOptions
    Display the value in hex.
var-14    | should | A location reference leads to a source and a line                                    | LocationsRequest
    Looks up information about a location reference previously returned by the debug adapter.
evl-01    | should | An expression can be evaluated in a frame                                            | EvaluateRequest
    Evaluates the given expression in the context of a stack frame.
evl-02    | should | A completion replaces a range within the text                                        | CompletionItem.length                                   | supportsCompletionsRequest
    Length determines how many characters are overwritten by the completion text
evl-03    | info   | Evaluating an invalid expression fails                                               | no sentence: common practice
evl-04    | should | Expressions can be evaluated in the \`hover\` context                                | EvaluateArguments.context                               | supportsEvaluateForHovers
    evaluate is called to generate the debug hover contents.
evl-05    | should | An expression can be evaluated without a frame                                       | EvaluateArguments.frameId
    If not specified, the expression is evaluated in the global scope.
evl-06    | info   | Evaluation in the \`hover\` context has no side effects                              | Capabilities.supportsEvaluateForHovers                  | supportsEvaluateForHovers
    The debug adapter supports a (side effect free) \`evaluate\` request for data hovers.
evl-07    | info   | Expressions can be evaluated in the \`repl\` context                                 | EvaluateArguments.context
    evaluate is called from a REPL context.
evl-08    | should | Expressions can be evaluated in the \`clipboard\` context                            | EvaluateArguments.context                               | supportsClipboardContext
    evaluate is called to generate clipboard contents.
evl-09    | should | An expression is evaluated in the requested frame                                    | EvaluateArguments.frameId
    Evaluate the expression in the scope of this stack frame.
evl-10    | should | With the \`hex\` format option, results are hexadecimal                              | EvaluateArguments.format                             | supportsValueFormattingOptions
    Specifies details on how to format the result.
mem-01    | should | \`readMemory\` returns the bytes, or the number of unreadable bytes                  | ReadMemoryResponse.unreadableBytes                      | supportsReadMemoryRequest
    The number of unreadable bytes encountered after the last successfully read byte.
mem-02    | must   | \`disassemble\` returns exactly the requested number of instructions                 | DisassembleArguments.instructionCount                   | supportsDisassembleRequest
    An adapter must return exactly this number of instructions
mem-03    | should | \`readMemory\` returns the bytes that \`writeMemory\` wrote                          | WriteMemoryRequest                                      | supportsWriteMemoryRequest
    Writes bytes to memory at the provided location.
mem-05    | must   | With a negative offset, \`disassemble\` returns the requested number of instructions | DisassembleArguments.instructionCount                   | supportsDisassembleRequest
    An adapter must return exactly this number of instructions
mem-06    | should | The first disassembled instruction is at the memory reference                        | DisassembleArguments.memoryReference                    | supportsDisassembleRequest
    Memory reference to the base location containing the instructions to disassemble.
mem-08    | should | \`readMemory\` starts at the offset                                                  | ReadMemoryArguments.offset                           | supportsReadMemoryRequest
    to be applied to the reference location before reading data
mem-09    | should | \`writeMemory\` starts at the offset                                                 | WriteMemoryArguments.offset                          | supportsWriteMemoryRequest
    to be applied to the reference location before writing data
mem-10    | should | \`disassemble\` starts at the offset                                                 | DisassembleArguments.offset                          | supportsDisassembleRequest
    to be applied to the reference location before disassembling
mem-11    | should | \`disassemble\` skips the instructions of the instruction offset                     | DisassembleArguments.instructionOffset               | supportsDisassembleRequest
    to be applied after the byte offset (if any) before disassembling
cxl-01    | should | A cancelled request gets a response                                                  | CancelRequest                                           | supportsCancelRequest
    The request that got cancelled still needs to send a response back.
cxl-02    | should | \`cancel\` gets a response                                                           | Response                                                | supportsCancelRequest
    Response for a request.
cxl-03    | info   | A cancelled request fails with the message \`cancelled\`                             | CancelRequest                                           | supportsCancelRequest
    an error response (\`success\` attribute false and the \`message\` set to \`cancelled\`)
out-01    | should | Standard output is complete and has the category \`stdout\`                          | OutputEvent.category
    Show the output as normal program output from the debuggee.
out-02    | info   | Standard error is complete and has the category \`stderr\`                           | OutputEvent.category
    Show the output as error program output from the debuggee.
term-01   | should | The adapter debugs a program that the client starts in a terminal                    | RunInTerminalRequest
    typically used to launch the debuggee in a terminal provided by the client
term-02   | should | \`launch\` fails if the client cannot start the terminal                             | Response.success
    If true, the request was successful
chd-01    | should | A child process stops at its breakpoint in a separate session                        | StartDebuggingRequest
    to start a new debug session of the same type as the caller
end-01    | must   | \`terminated\` is sent after the program ends                                        | Overview, Debug session end
    a terminated event must be fired
end-02    | must   | \`disconnect\` ends a launched program                                               | DisconnectRequest
    the debug adapter must terminate the debuggee if it was started with the \`launch\` request
end-03    | must   | \`disconnect\` keeps an attached program running                                     | DisconnectRequest
    then the debug adapter must not terminate the debuggee
end-04    | should | \`disconnect\` keeps a launched program running if the client requests it            | DisconnectArguments.terminateDebuggee                   | supportTerminateDebuggee
    Indicates whether the debuggee should be terminated when the debugger is disconnected.
end-05    | should | \`terminate\` ends the program                                                       | TerminateRequest                                        | supportsTerminateRequest
    in order to shut down the debuggee gracefully
end-06    | should | \`restart\` starts the program again, with its breakpoints                           | RestartRequest                                          | supportsRestartRequest
    Restarts a debug session.
end-07    | should | The next client gets a new session                                                   | Overview, Debug Session Start
    the development tool initiates a new communication session on a specific port
end-08    | should | \`exited\` contains the program's exit code                                          | ExitedEvent.exitCode
    The exit code returned from the debuggee.
end-09    | should | \`disconnect\` gets a response                                                       | DisconnectRequest
    asks the debug adapter to disconnect from the debuggee
end-13    | should | \`disconnect\` ends an attached program if the client requests it                    | DisconnectArguments.terminateDebuggee                   | supportTerminateDebuggee
    Indicates whether the debuggee should be terminated when the debugger is disconnected.
end-14    | info   | \`terminate\` allows the program to clean up                                         | TerminateRequest                                        | supportsTerminateRequest
    a software signal which the debuggee intercepts in order to clean things up properly
end-15    | should | The adapter exits after \`disconnect\`, once its input ends                          | DisconnectRequest
    then to shut down itself (the debug adapter)
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
base-01   | must   | The stream contains only framed messages                             | Overview, Header Part                         | stream.noise stream.fault bytes.stream-mark bytes.body-mark bytes.line-end-after bytes.blank-lines
    The length of the content part in bytes. This header is required.
base-02   | should | Message numbers start at 1 and grow by 1                             | ProtocolMessage.seq                           | number.order
    for each subsequent message is 1 greater than the previous message sent
base-03   | should | Each response belongs to a request                                   | Response.request_seq                          | response.unmatched
    Sequence number of the corresponding request.
base-04   | should | Failed responses contain a reason                                    | Response.success                              | failure.silent
    If the value is false, the attribute \`message\` contains the error in short form
base-08   | must   | Messages have the properties that the schema requires                | The schema                                    | schema.issue message.kind
base-09   | should | Messages conform to the strict profile                               | The schema                                    | schema.deviation
base-10   | should | Object keys are unique                                               | Overview, Content Part                        | bytes.duplicate-key
    The content part of a message uses JSON
base-11   | should | The adapter sends only messages that adapters may send               | The schema                                    | message.sender
base-13   | should | Headers are written exactly as in the specification                  | Overview, Header Part                         | bytes.line-feed bytes.name-case bytes.no-space bytes.more-space bytes.space-before-colon bytes.length-twice
    separated by ': ' (a colon and a space)
base-14   | must   | \`Content-Length\` counts bytes, and bodies are UTF-8                | Overview, Header Part                         | bytes.length-in-characters bytes.ill-formed-utf8
    The length of the content part in bytes. This header is required.
base-15   | info   | \`Content-Length\` is the only header                                | Overview, Header Part                         | bytes.header-before bytes.header-after bytes.other-header
    Currently only a single header field is supported and required
base-16   | should | A request gets only one response                                     | Response                                      | response.double
    Response for a request.
base-17   | should | A response carries the same command as its request                   | Response.command                              | response.name
    The command requested.
base-18   | should | Each request gets a response                                         | Response                                      | request.unanswered
    Response for a request.
base-20   | info   | All messages are defined in the protocol                             | The schema                                    | message.custom
base-21   | should | Property names are spelled as in the schema                          | The schema                                    | schema.misspelt
init-01   | must   | No message comes before the response to \`initialize\`               | Overview, Launch Sequencing                   | opening.early
    must respond to the \`initialize\` request with any capabilities before any further communication
init-06   | should | The adapter sends only messages that the client supports             | RunInTerminalRequest                          | request.capability
    should only be called if the corresponding client capability \`supportsRunInTerminalRequest\` is true
init-08   | should | \`initialized\` is sent only once                                    | InitializedEvent                              | initialized.twice | initialized
    adapters sends \`initialized\` event (after the \`initialize\` request has returned)
init-09   | should | The adapter sends only properties that the client supports           | Variable.type                                 | field.capability
    should only be returned by a debug adapter if the corresponding capability \`supportsVariableType\` is true
launch-08 | info   | The response to \`launch\` comes after \`configurationDone\`         | Overview, Launch Sequencing                   | configuration.late-start | configurationDone
    After the response to \`configurationDone\` is sent, the debug adapter may respond to the \`launch\`
bp-05     | info   | Only unverified breakpoints have a reason                            | Breakpoint.reason                             | breakpoint.reason | setBreakpoints
    the adapter should omit this property
bp-25     | should | Breakpoint events refer to existing breakpoints                      | BreakpointEvent.breakpoint                    | breakpoint.unknown breakpoint.removed breakpoint.nameless | breakpoint
    The \`id\` attribute is used to find the target breakpoint
bp-26     | should | The response contains an entry for each source breakpoint            | SetBreakpointsResponse                        | answer.breakpoints | setBreakpoints
    Returned is information about each breakpoint created by this request.
bp-31     | info   | Breakpoint locations are sorted and unique                           | BreakpointLocationsResponse.breakpoints       | locations.unsorted locations.repeated | breakpointLocations
    Sorted set of possible breakpoint locations.
bp-32     | should | The response contains an entry for each function breakpoint          | SetFunctionBreakpointsResponse                | answer.function-breakpoints | setFunctionBreakpoints
    Returned is information about each breakpoint created by this request.
bp-33     | should | The response contains an entry for each data breakpoint              | SetDataBreakpointsResponse                    | answer.data-breakpoints | setDataBreakpoints
    Returned is information about each breakpoint created by this request.
bp-34     | should | The response contains an entry for each instruction breakpoint       | SetInstructionBreakpointsResponse.breakpoints | answer.instruction-breakpoints | setInstructionBreakpoints
    The array elements correspond to the elements of the \`breakpoints\` array.
bp-35     | should | \`hitBreakpointIds\` refers to existing breakpoints                  | StoppedEvent.hitBreakpointIds                 | breakpoint.hit-unknown | stopped
    Ids of the breakpoints that triggered the event.
bp-36     | must   | \`hitBreakpointIds\` never contains only logpoints                   | SourceBreakpoint.logMessage                   | stopped.logpoint | stopped
    the debug adapter must not 'break' (stop) but log the message instead
bp-37     | should | Breakpoint locations are within the requested range                  | BreakpointLocationsRequest                    | locations.outside | breakpointLocations
    returns all possible locations for source breakpoints in a given range
run-01    | should | The response to a step comes before the stop                         | NextRequest                                   | stopped.before-answer | next stepIn stepOut stepBack
    The debug adapter first sends the response and then a \`stopped\` event
run-02    | info   | \`continued\` is not sent after a request that already implies it    | ContinuedEvent                                | continued.expected | continue
    is not expected to send this event in response to a request
run-17    | should | \`stopped\` contains a thread, or sets \`allThreadsStopped\`         | StoppedEvent.allThreadsStopped                | stopped.nothing | stopped
    only the thread with the given \`threadId\` can be expanded
run-19    | should | The response to \`pause\` comes before the stop                      | PauseRequest                                  | stopped.before-pause | pause
    The debug adapter first sends the response and then a \`stopped\` event
run-20    | should | The response to \`goto\` comes before the stop                       | GotoRequest                                   | stopped.before-goto | goto
    The debug adapter first sends the response and then a \`stopped\` event
run-21    | should | The response to \`restartFrame\` comes before the stop               | RestartFrameRequest                           | stopped.before-restart | restartFrame
    The debug adapter first sends the response and then a \`stopped\` event
run-22    | should | Each step-in target and goto target has a unique id                  | StepInTarget.id                               | target.repeated | stepInTargets gotoTargets
    Unique identifier for a step-in target.
thr-05    | should | Each thread starts and exits once                                    | ThreadEvent                                   | thread.exited thread.started-twice thread.exited-twice thread.unknown | thread
    The event indicates that a thread has started or exited.
thr-06    | should | Thread ids are unique                                                | Thread.id                                     | thread.repeated | threads
    Unique identifier for the thread.
stk-08    | must   | Stack frame ids are unique within a stack                            | StackFrame.id                                 | frame.repeated | stackTrace
    It must be unique across all threads.
stk-09    | should | No more frames are returned than requested                           | StackTraceArguments.levels                    | answer.frames | stackTrace
    The maximum number of frames to return.
stk-10    | should | Lines start at 0 or 1, as the client requests                        | InitializeRequestArguments.linesStartAt1      | position.line | stackTrace
    If true all line numbers are 1-based (default).
stk-11    | info   | Sources have a name                                                  | Source.name                                   | source.nameless | stackTrace
    Every source returned from the debug adapter has a name.
stk-12    | should | Paths are URIs only if the client requests it                        | InitializeRequestArguments.pathFormat         | path.native | stackTrace
    Determines in what format paths are specified.
stk-14    | info   | Columns start at 0 or 1, as the client requests                      | InitializeRequestArguments.columnsStartAt1    | position.column | stackTrace
    If true all column numbers are 1-based (default).
src-02    | info   | Checksums are hexadecimal                                            | Checksum.checksum                             | checksum.hexadecimal | stackTrace
    Value of the checksum, encoded as a hexadecimal value.
var-09    | should | No more variables are returned than requested                        | VariablesArguments.count                      | answer.variables | variables
    The number of variables to return.
var-12    | should | A lazy variable has a reference                                      | VariablePresentationHint.lazy                 | variable.lazy | variables
    the variable's \`variablesReference\` is expected to refer to a variable
mod-02    | should | Module events refer to existing modules                              | ModuleEvent                                   | module.unknown module.removed | module
    The event indicates that some information about a module has changed.
mod-03    | should | No more modules are returned than requested                          | ModulesArguments.moduleCount                  | answer.modules | modules
    The number of modules to return.
mod-04    | info   | Module times are RFC 3339 timestamps                                 | Module.dateTimeStamp                          | module.time | modules module
    Module created or modified, encoded as a RFC 3339 timestamp.
mod-05    | should | Module ids are unique                                                | Module.id                                     | module.repeated | modules
    Unique identifier for the module.
mod-06    | should | A module is reported as new only once                                | ModuleEvent                                   | module.new-twice | module
    The event indicates that some information about a module has changed.
mem-04    | should | Memory contents are encoded as base64                                | ReadMemoryResponse.data                       | memory.base64 | readMemory
    The bytes read from memory, encoded using base64.
mem-07    | should | Addresses are hexadecimal if prefixed with \`0x\`, decimal otherwise | ReadMemoryResponse.address                    | memory.address | readMemory disassemble
    Treated as a hex value if prefixed with \`0x\`, or as a decimal value otherwise.
prg-01    | must   | Progress report ids are unique                                       | ProgressStartEvent.progressId                 | progress.repeated | progressStart
    IDs must be unique within a debug session.
prg-02    | should | Each progress report ends                                            | ProgressEndEvent                              | progress.open | progressStart
    The event signals the end of the progress reporting
prg-03    | should | Progress reports are updated or ended only while they are open       | ProgressUpdateEvent.progressId                | progress.unknown progress.ended | progressStart
    The ID that was introduced in the initial \`progressStart\` event.
prg-04    | should | Progress reports refer only to requests that were sent               | ProgressStartEvent.requestId                  | progress.request | progressStart
    The request ID that this progress report is related to.
term-03   | should | \`runInTerminal\` contains a command                                 | RunInTerminalRequestArguments.args            | terminal.empty | runInTerminal
    The first argument is the command to run.
chd-02    | must   | A child session's configuration contains no client-only properties   | StartDebuggingRequestArguments.configuration  | start.client-property | startDebugging
    they must not contain any client-specific properties
end-10    | should | \`terminated\` is sent only once                                     | TerminatedEvent                               | terminated.twice | terminated
    The event indicates that debugging of the debuggee has terminated.
end-11    | should | \`exited\` is sent only once                                         | ExitedEvent                                   | exited.twice | exited
    The event indicates that the debuggee has exited and returns its exit code.
end-12    | info   | No message comes after the response to \`disconnect\`                | DisconnectRequest                             | disconnect.after | disconnect
    then to shut down itself (the debug adapter)
end-16    | should | The program does not stop or continue after \`terminated\`           | TerminatedEvent                               | terminated.after | terminated
    The event indicates that debugging of the debuggee has terminated.
end-17    | should | The program does not stop or continue after \`exited\`               | ExitedEvent                                   | exited.after | exited
    The event indicates that the debuggee has exited and returns its exit code.
`,
  ([rules, seen]) => ({ rules: words(rules), seen: words(seen) }),
);

export const checks: readonly Check[] = [...caseChecks, ...ruleChecks];
