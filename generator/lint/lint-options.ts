import * as option from "../../runtime/base/check-options.js";
import type { Protocol } from "../model/protocol.js";
import type { HostTable } from "./host-table.js";
import { type LintFinding } from "./rules.js";
import { type LintProfile } from "./state/session-state.js";
import type { RuleTable } from "./table/rule-table.js";

/** How a session is judged. */
export interface LintOptions {
  /** Default: `wire`. */
  readonly profile?: LintProfile;
  /**
   * Whether the recording has the messages of only one side. Rules that need both sides are then
   * skipped. Default: false.
   */
  readonly isOneSided?: boolean;
  /**
   * Whether the first message is the first of the session, even if it is not the opening request.
   * Default: only if it opens the session.
   */
  readonly isFromStart?: boolean;
  /**
   * Whether the two sides were recorded separately. Rules that depend on their order are then
   * skipped. Default: false.
   */
  readonly isOrderGuessed?: boolean;
  /**
   * Whether messages are missing in the recording. Rules that depend on the absence of a message
   * are then skipped. Default: false.
   */
  readonly isPartial?: boolean;
  /**
   * Rules of the protocol about sessions. Default: those that `openProtocol` has read. `none`: only
   * the rules for every protocol, and those about references after the program has resumed.
   */
  readonly rules?: RuleTable | "none" | undefined;
  /** The host that the messages are for. */
  readonly host?: HostTable | undefined;
  /**
   * Maximum number of remembered requests, of references and of ids. The latest ones are kept.
   * Default: 100,000.
   */
  readonly remembered?: number;
  readonly onFinding: (finding: LintFinding) => void;
  /** Called with each message before it is judged. */
  readonly onMessage?: (message: LintedMessage) => void;
}

/** A message, described in words. */
export interface LintedMessage {
  /**
   * Number of its session in the recording, if there are several; and its number in the session,
   * from 1.
   */
  readonly session?: number;
  readonly index: number;
  readonly from: string;
  readonly kind: "request" | "event" | "response" | "none";
  /** Name of the message. The name of a response is the name of its request. */
  readonly name?: string;
  readonly label: string;
  readonly hasFailed: boolean;
  /** Number of the request that it answers, if it is a response and the request is remembered. */
  readonly answers?: number;
  /** Milliseconds since the session began, and since its request, if known. */
  readonly time?: number;
  readonly latency?: number;
}

/** A protocol, with its session rules if they have been read. */
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
  onFinding: option.callback,
  onMessage: option.callback,
};
