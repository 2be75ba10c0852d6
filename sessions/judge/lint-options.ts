import * as option from "../../runtime/base/check-options.js";
import type { Protocol } from "../../generator/model/protocol.js";
import type { HostTable } from "./host-table.js";
import type { LintFinding } from "./rules.js";
import type { LintProfile } from "./session-state.js";
import type { CarriedValues } from "./table/carried-values.js";
import type { RuleTable } from "./table/rule-table.js";

/** Options for judging a session. */
export interface LintOptions {
  /** How strictly to judge messages. Default: `wire`. */
  readonly profile?: LintProfile;
  /**
   * Whether the recording contains messages from only one side. If so, rules that need both sides
   * are skipped. Default: false.
   */
  readonly isOneSided?: boolean;
  /**
   * Whether the session begins with the first message in the recording, even if that is not the
   * opening request. Default: true only if it is the opening request.
   */
  readonly isFromStart?: boolean;
  /**
   * Whether the two sides were recorded separately. If so, rules that depend on the order between
   * them are skipped. Default: false.
   */
  readonly isOrderGuessed?: boolean;
  /**
   * Whether messages are missing from the recording. If so, rules that depend on the absence of a
   * message are skipped. Default: false.
   */
  readonly isPartial?: boolean;
  /**
   * The protocol's session rules. Default: the rules read by `openProtocol`. `none` applies only
   * the rules that all protocols share, and those about references that became invalid when the
   * program resumed.
   */
  readonly rules?: RuleTable | "none" | undefined;
  /** The host that receives the messages. */
  readonly host?: HostTable | undefined;
  /**
   * Maximum number of requests to remember, and of references and ids of each kind. Beyond these
   * limits, only the latest are kept. Default: 100,000.
   */
  readonly remembered?: number;
  /**
   * Values that sessions hand on to later ones. Pass the same object to each session in a
   * recording. Default: the session continues no earlier one.
   */
  readonly carried?: CarriedValues;
  readonly onFinding: (finding: LintFinding) => void;
  /** Called with each message before it is judged. */
  readonly onMessage?: (message: LintedMessage) => void;
}

/** A message, along with its description in words. */
export interface LintedMessage {
  /**
   * `session`: id of the session, if the recording contains several. `index`: position of the
   * message in its session, counting from 1.
   */
  readonly session?: number;
  readonly index: number;
  readonly from: string;
  readonly kind: "request" | "event" | "response" | "none";
  /** Name of the message. For a response, the name of its request. */
  readonly name?: string;
  readonly label: string;
  readonly hasFailed: boolean;
  /** Only for responses: `index` of the request being answered, if that request is remembered. */
  readonly answers?: number;
  /**
   * `time`: milliseconds since the session began. `latency`: milliseconds from the request to this
   * response. Absent if unknown.
   */
  readonly time?: number;
  readonly latency?: number;
}

/** A protocol, along with its session rules if they were read. */
export interface LintedProtocol extends Protocol {
  readonly sessionRules?: RuleTable | undefined;
}

export const checks: option.OptionChecks<LintOptions> = {
  profile: option.oneOf("wire", "strict"),
  isOneSided: option.flag,
  isFromStart: option.flag,
  isOrderGuessed: option.flag,
  isPartial: option.flag,
  rules: option.either(option.oneOf("none"), option.object),
  host: option.object,
  remembered: option.count,
  carried: option.object,
  onFinding: option.callback,
  onMessage: option.callback,
};
