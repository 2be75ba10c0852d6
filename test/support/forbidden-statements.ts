/** Changes to a clean session that a protocol's statements forbid. */
export interface Forbidden {
  /**
   * Whether each request must have exactly one response. If so, the tests drop each response once
   * and duplicate it once.
   */
  readonly answers: boolean;
  /** Labels of messages that must not be repeated. */
  readonly once: readonly string[];
  /**
   * Where ids are found: a message label and a pointer. The tests replace each of these ids with an
   * unknown one.
   */
  readonly ids: readonly (readonly [label: RegExp, pointer: string])[];
  /**
   * Arrays that must have one item for each requested item. The tests remove the first item, and
   * repeat it at the end.
   */
  readonly counted: readonly (readonly [label: RegExp, pointer: string])[];
  /** Messages that are moved before another message. */
  readonly moved: readonly (readonly [label: RegExp, before: RegExp])[];
  readonly dropped: readonly RegExp[];
  /** Values of a valid type that are wrong where they are. */
  readonly values: readonly (readonly [label: RegExp, pointer: string, value: unknown])[];
}

export const forbidden: Readonly<Record<string, Forbidden>> = {
  sqltools: {
    answers: true,
    once: [
      "request initialize",
      "event started",
      "event connection/complete",
      "event query/complete",
    ],
    ids: [
      [
        /query\/(executeString|subset|dispose)$|connection\/(listdatabases|disconnect)$/,
        "/params/ownerUri",
      ],
      [/^event (query|connection)\//, "/params/ownerUri"],
      [/^event textDocument\/did(Change|Close)|hover/, "/params/textDocument/uri"],
      [/^request (change|close)$/, "/params/file"],
      [/stackTrace/, "/params/threadId"],
      [/scopes|evaluate/, "/params/frameId"],
      [/request variables/, "/params/variablesReference"],
    ],
    counted: [[/response setBreakpoints/, "/result/breakpoints"]],
    moved: [
      [/event started/, /request open/],
      [/event workspace/, /request initialize/],
      [/request connection\/connect/, /request initialize/],
      [/event query\/batchStart/, /request query\/executeString/],
      [/event query\/message/, /request shutdown/],
      [/event connection\/complete/, /request connection\/connect/],
      [/request query\/executeString/, /request connection\/connect/],
      [/request query\/subset/, /request query\/executeString/],
      [/request change/, /request open/],
      [/request hover|textDocument\/hover/, /event textDocument\/didOpen/],
      [/event syntaxDiag/, /request geterr/],
      [/event stopped/, /request disconnect/],
      [/request stackTrace/, /event stopped/],
      [/request next/, /request shutdown/],
      [/event exit/, /request shutdown/],
    ],
    dropped: [
      /event textDocument\/didOpen/,
      /request open/,
      /event connection\/complete/,
      /request geterr/,
      /request launch/,
      /request shutdown/,
    ],
    values: [
      [/request (open|change|close)$/, "/params/file", "a.ps1"],
      [/request geterr/, "/params/files/0", "a.ps1"],
      [/textDocument\/hover/, "/params/position/line", -1],
      [/textDocument\/hover/, "/params/position/character", -3],
      [/request change/, "/params/line", 0],
      [/request change/, "/params/offset", 0],
      [/request completions/, "/params/line", 0],
    ],
  },
  "ruby-debug-ide": {
    answers: true,
    once: ["request start"],
    ids: [
      [/request delete|able$/, "/arguments/breakpoints/0"],
      [/request condition/, "/arguments/breakpoint"],
      [/event (breakpointEnabled|breakpointDisabled|conditionSet)/, "/body/bp_id"],
      [/event breakpointDeleted/, "/body/no"],
      [/thread switch/, "/arguments/thread"],
      [/request frame/, "/arguments/frame"],
    ],
    counted: [],
    moved: [
      [/request where/, /request start/],
      [/event breakpoint$/, /request start/],
      [/request var local/, /request start/],
      [/request thread switch/, /request start/],
      [/request delete/, /request break/],
      [/request condition/, /request break/],
      [/request eval/, /request start/],
      [/request info break/, /event message/],
    ],
    dropped: [/request catch/, /request start/, /request break/],
    values: [
      [/event (breakpoint|suspended|exception)$/, "/body/file", "a.rb"],
      [/event (breakpoint|suspended|exception)$/, "/body/line", 0],
      [/event frames/, "/body/frames/0/file", "a.rb"],
      [/event frames/, "/body/frames/1/no", 1],
      [/event threads/, "/body/threads/1/id", 1],
      [/event breakpoints/, "/body/breakpoints/1/n", 1],
      [/event breakpointAdded/, "/body/no", 1],
      [/event suspended/, "/body/frames", 0],
      [/request catch/, "/arguments/exception", "off"],
    ],
  },
  "acp-breakpoints": {
    answers: true,
    once: ["request initialize"],
    ids: [
      [/session\/prompt|event session\/update|terminal\//, "/params/sessionId"],
      [/request \d* ?terminal\/(output|release)/, "/params/terminalId"],
      [/event breakpointChanged/, "/params/breakpoint/id"],
      [/event session\/update/, "/params/update/toolCallId"],
      [/setExceptionBreakpoints/, "/params/filters/0"],
      [/setExceptionBreakpoints/, "/params/filterOptions/0/filterId"],
    ],
    counted: [
      [/response .*setBreakpoints/, "/result/breakpoints"],
      [/response .*setFunctionBreakpoints/, "/result/breakpoints"],
      [/response .*setExceptionBreakpoints/, "/result/breakpoints"],
    ],
    moved: [
      [/request .*session\/prompt/, /request .*session\/new/],
      [/event session\/update/, /request .*session\/new/],
      [/event breakpointChanged/, /request .*setBreakpoints/],
      [/request .*setBreakpoints/, /request .*initialize/],
      [/request .*terminal\/output/, /request .*terminal\/create/],
      [/request .*terminal\/release/, /request .*terminal\/output/],
    ],
    dropped: [],
    values: [
      [/setBreakpoints/, "/params/source/path", "a.ts"],
      [/request .*setBreakpoints/, "/params/breakpoints/0/line", 0],
      [/setExceptionBreakpoints/, "/params/filterOptions/0/filterId", "uncaught"],
      ...["sourceBreakpoints", "functionBreakpoints", "supportsEnabled", "supportsConditions"].map(
        (flag) =>
          [
            /request .*initialize/,
            `/params/clientCapabilities/breakpoints/${flag}`,
            false,
          ] as const,
      ),
      [
        /request .*initialize/,
        "/params/clientCapabilities/breakpoints/exceptionBreakpointFilters",
        [],
      ],
    ],
  },
};
