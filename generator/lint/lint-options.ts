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
   * The recording has only the messages of one side: rules that need both are not judged. Default:
   * false.
   */
  readonly isOneSided?: boolean;
  /** The first message is the first of the session, whatever it is. Default: only if it opens the session. */
  readonly isFromStart?: boolean;
  /**
   * The two sides were recorded apart: rules that depend on their order are not judged. Default:
   * false.
   */
  readonly isOrderGuessed?: boolean;
  /**
   * The recording lacks messages: rules that depend on the absence of a message are not judged.
   * Default: false.
   */
  readonly isPartial?: boolean;
  /**
   * Rules of the protocol about sessions. Default: those that `openProtocol` has read. `none`: only the rules for every
   * protocol, and for references after the program has run on.
   */
  readonly rules?: RuleTable | "none" | undefined;
  /** A host that the messages are for. */
  readonly host?: HostTable | undefined;
  /** Requests, references and ids that are remembered at most, of each the latest. Default: 100,000. */
  readonly remembered?: number;
  readonly onFinding: (finding: LintFinding) => void;
  /** Called with each message before it is judged. */
  readonly onMessage?: (message: LintedMessage) => void;
}

/** A message in words. */
export interface LintedMessage {
  /** Which session of the recording, if it has several; and its number in it, from 1. */
  readonly session?: number;
  readonly index: number;
  readonly from: string;
  readonly kind: "request" | "event" | "response" | "none";
  /** Its name; of a response, that of the request that it answers. */
  readonly name?: string;
  readonly label: string;
  readonly hasFailed: boolean;
  /** Number of the request that it answers, if it is a response and the request is remembered. */
  readonly answers?: number;
  /** Milliseconds since the session began, and since its request; where they are known. */
  readonly time?: number;
  readonly latency?: number;
}

/** A protocol, with its rules about sessions if it is known whether it has any. */
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
