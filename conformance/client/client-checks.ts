import { readTable, words, type Check } from "../checks.js";

/**
 * Client checks decided by lint rules or scenarios. The last two columns contain rules and message
 * names. A check with message names passes only if at least one of these messages occurs.
 */
export const clientChecks: readonly Check[] = readTable(
  `
base-01 | must     | The stream contains only framed messages                                          | Overview, Base protocol                  | stream.noise stream.fault bytes.line-feed bytes.body-mark bytes.stream-mark bytes.line-end-after bytes.blank-lines bytes.ill-formed-utf8 bytes.length-in-characters
base-02 | expected | Headers are written exactly as in the specification                               | Overview, Header Part                    | bytes.name-case bytes.no-space bytes.more-space bytes.space-before-colon bytes.length-twice
base-03 | info     | \`Content-Length\` is the only header                                             | Overview, Header Part                    | bytes.header-before bytes.header-after bytes.other-header
base-04 | must     | Message numbers start at 1 and increase                                           | ProtocolMessage.seq                      | number.order
base-05 | must     | Messages have the properties that the schema requires                             | The schema                               | schema.issue message.kind
base-06 | expected | Messages conform to the strict profile                                            | The schema                               | schema.deviation schema.misspelt
base-07 | must     | The client sends only messages that clients may send                              | The schema                               | message.sender
init-01 | must     | \`initialize\` is the first message, and is sent only once                        | InitializeRequest                        | opening.late opening.twice
init-02 | must     | The client sends only requests that the adapter supports                          | Overview, Initialization                 | request.capability
init-03 | expected | The client sends only properties that the adapter supports                        | Overview, Initialization                 | field.capability evaluate.hover evaluate.clipboard filter.unknown filter.option-unknown filter.condition mode.unknown
conf-01 | must     | The configuration comes after \`initialized\`                                     | InitializedEvent                         | configuration.early
conf-02 | expected | \`configurationDone\` is sent once, after the configuration                       | ConfigurationDoneRequest                 | configuration.done-twice configuration.done-missing
conf-03 | must     | \`launch\` or \`attach\` is sent only once                                        | LaunchRequest                            | start.twice
conf-04 | expected | The client sends the configuration without waiting for the response to \`launch\` | Overview, Launch Sequencing
conf-05 | expected | The client waits for a late \`initialized\`                                       | InitializedEvent
conf-06 | expected | Breakpoints and filters are sent before \`configurationDone\`                     | InitializedEvent                         | configuration.filters-missing
ref-01  | must     | The client sends only references that the adapter returned                        | Overview, Lifetime of Objects References | frame.unknown variables.unknown source.unknown target.step-unknown target.goto-unknown location.unknown | stackTrace scopes variables
ref-02  | must     | The client does not use references after the program continues                    | Overview, Lifetime of Objects References | reference.expired variables.replaced | scopes variables
rev-01  | must     | Each request from the adapter gets a response                                     | Response
rev-02  | expected | An unknown request from the adapter fails                                         | Response.success
rev-03  | expected | \`runInTerminal\` succeeds, or fails with a reason                                | RunInTerminalRequest
chd-01  | expected | After \`startDebugging\`, the client opens a separate session                     | StartDebuggingRequest
evt-01  | expected | The session survives an event that the client does not know                       | Event
evt-02  | expected | The session survives a program that continues by itself                           | ContinuedEvent
evt-03  | expected | The session survives a moved breakpoint                                           | BreakpointEvent
evt-04  | expected | The session survives 2,000 output events                                          | OutputEvent
rsp-01  | expected | The client waits three seconds for a response                                     | Response
rsp-02  | expected | The client accepts a response of 4 MiB                                            | Overview, Base protocol
prg-01  | expected | The client cancels only requests and progress reports that are still open         | CancelRequest                            | cancel.progress cancel.request cancel.fixed cancel.nothing | cancel
end-01  | expected | The client ends the session after \`terminated\`                                  | TerminatedEvent
end-02  | expected | No request is sent after \`disconnect\`                                           | DisconnectRequest                        | disconnect.request-after | disconnect
end-03  | expected | The client sends \`disconnect\` if the program does not end after \`terminate\`   | TerminateRequest
`,
  ([rules, seen]) => ({ rules: words(rules), seen: words(seen) }),
);
