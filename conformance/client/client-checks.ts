import { readTable, words, type Check } from "../checks.js";

/**
 * Client checks decided by lint rules or scenarios. The last two columns contain rules and message
 * names. A check with message names passes only if at least one of these messages occurs.
 */
export const clientChecks: readonly Check[] = readTable(
  `
base-01 | must   | The stream contains only framed messages                                          | Overview, Header Part                    | stream.noise stream.fault bytes.line-feed bytes.body-mark bytes.stream-mark bytes.line-end-after bytes.blank-lines bytes.ill-formed-utf8 bytes.length-in-characters
    The length of the content part in bytes. This header is required.
base-02 | should | Headers are written exactly as in the specification                               | Overview, Header Part                    | bytes.name-case bytes.no-space bytes.more-space bytes.space-before-colon bytes.length-twice
    separated by ': ' (a colon and a space)
base-03 | info   | \`Content-Length\` is the only header                                             | Overview, Header Part                    | bytes.header-before bytes.header-after bytes.other-header
    Currently only a single header field is supported and required
base-04 | should | Message numbers start at 1 and increase                                           | ProtocolMessage.seq                      | number.order
    for each subsequent message is 1 greater than the previous message sent
base-05 | must   | Messages have the properties that the schema requires                             | The schema                               | schema.issue message.kind
base-06 | should | Messages conform to the strict profile                                            | The schema                               | schema.deviation schema.misspelt
base-07 | should | The client sends only messages that clients may send                              | The schema                               | message.sender
init-01 | must   | \`initialize\` is the first message, and is sent only once                        | InitializeRequest                        | opening.late opening.twice
    the client must not send any additional requests or events to the debug adapter
init-02 | should | The client sends only requests that the adapter supports                          | Overview, Initialization                 | request.capability
    The absence of the flag always means that the feature is not supported.
init-03 | should | The client sends only properties that the adapter supports                        | Overview, Initialization                 | field.capability evaluate.hover evaluate.clipboard filter.unknown filter.option-unknown filter.condition mode.unknown
    The absence of the flag always means that the feature is not supported.
conf-01 | should | The configuration comes after \`initialized\`                                     | InitializedEvent                         | configuration.early
    This event indicates that the debug adapter is ready to accept configuration requests
conf-02 | should | \`configurationDone\` is sent once, after the configuration                       | ConfigurationDoneRequest                 | configuration.done-twice configuration.done-missing
    it is the last request in the sequence of configuration requests
conf-03 | should | \`launch\` or \`attach\` is sent only once                                        | LaunchRequest                            | start.twice
    sent from the client to the debug adapter to start the debuggee
conf-04 | should | The client sends the configuration without waiting for the response to \`launch\` | Overview, Launch Sequencing
    After the response to \`configurationDone\` is sent, the debug adapter may respond to the \`launch\`
conf-05 | should | The client waits for a late \`initialized\`                                       | InitializedEvent
    A debug adapter is expected to send this event when it is ready
conf-06 | should | Breakpoints and filters are sent before \`configurationDone\`                     | InitializedEvent                         | configuration.filters-missing
    client sends one \`configurationDone\` request to indicate the end of the configuration
ref-01  | must   | The client sends only references that the adapter returned                        | VariablesArguments.variablesReference    | frame.unknown variables.unknown source.unknown target.step-unknown target.goto-unknown location.unknown | stackTrace scopes variables
    must have been obtained in the current suspended state
ref-02  | must   | The client does not use references after the program continues                    | Overview, Lifetime of Objects References | reference.expired variables.replaced | scopes variables
    object references become invalid and DAP clients must not use them
rev-01  | should | Each request from the adapter gets a response                                     | Response
    Response for a request.
rev-02  | info   | An unknown request from the adapter fails                                         | no sentence: common practice
rev-03  | should | \`runInTerminal\` succeeds, or fails with a reason                                | Response.success
    If the value is false, the attribute \`message\` contains the error in short form
chd-01  | should | After \`startDebugging\`, the client opens a separate session                     | StartDebuggingRequest
    should start a new debug session (of the same type as the caller)
evt-01  | should | The session survives an event that the client does not know                       | Overview, Initialization
    to support new feature in a completely backward compatible way
evt-02  | should | The session survives a program that continues by itself                           | ContinuedEvent
    The event indicates that the execution of the debuggee has continued.
evt-03  | should | The session survives a moved breakpoint                                           | BreakpointEvent
    The event indicates that some information about a breakpoint has changed.
evt-04  | should | The session survives 2,000 output events                                          | OutputEvent
    The event indicates that the target has produced some output.
rsp-01  | info   | The client waits three seconds for a response                                     | no sentence: common practice
rsp-02  | info   | The client accepts a response of 4 MiB                                            | no sentence: common practice
prg-01  | should | The client cancels only requests and progress reports that are still open         | CancelRequest                            | cancel.progress cancel.request cancel.fixed cancel.nothing | cancel
    it is no longer interested in the result produced by a specific request
end-01  | should | The client ends the session after \`terminated\`                                  | TerminatedEvent
    The event indicates that debugging of the debuggee has terminated.
end-02  | should | No request is sent after \`disconnect\`                                           | DisconnectRequest                        | disconnect.request-after | disconnect
    thus ending the debug session
end-03  | should | The client sends \`disconnect\` if the program does not end after \`terminate\`   | TerminateRequest
    if that fails uses \`disconnect\` for a forceful shutdown
`,
  ([rules, seen]) => ({ rules: words(rules), seen: words(seen) }),
);
