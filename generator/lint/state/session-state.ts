import type { Protocol } from "../../model/protocol.js";
import { AnnouncedCapabilities } from "./announced-capabilities.js";
import { ExpiringReferences } from "./expiring-references.js";
import type { JudgedMessage } from "./judged-message.js";
import { judgedProtocolOf, type JudgedProtocol } from "./judged-protocol.js";
import { SentRequests } from "./sent-requests.js";
import { SequenceNumbers } from "./sequence-numbers.js";

/** How strict messages are judged: to the letter, or by what a tolerant reader can use. */
export type LintProfile = "strict" | "wire";

export interface SessionOptions {
  readonly profile: LintProfile;
  /** What one side said is all there is: what takes both to judge is not judged. */
  readonly isOneSided: boolean;
  /** Requests and references that are remembered, of each the latest. */
  readonly limit: number;
}

/** What rules look at: the protocol, how to judge, and what the session has said before the message that is judged. */
export class SessionState {
  readonly protocol: Protocol;
  readonly judged: JudgedProtocol;
  readonly profile: LintProfile;
  readonly isOneSided: boolean;
  readonly requests: SentRequests;
  readonly numbers: SequenceNumbers;
  readonly capabilities: AnnouncedCapabilities;
  readonly references: ExpiringReferences;
  #isOpen = false;

  constructor(protocol: Protocol, { profile, isOneSided, limit }: SessionOptions) {
    const judged = judgedProtocolOf(protocol);
    this.protocol = protocol;
    this.judged = judged;
    this.profile = profile;
    this.isOneSided = isOneSided;
    this.requests = new SentRequests(protocol, limit);
    this.numbers = new SequenceNumbers(protocol);
    this.capabilities = new AnnouncedCapabilities(judged, isOneSided);
    this.references = new ExpiringReferences(judged, limit);
  }

  /** The opening request was answered. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Takes in a message that has been judged. */
  follow(message: JudgedMessage): void {
    const { kind, name } = message;
    if (kind === "response" && name === this.protocol.conversation?.opening) this.#isOpen = true;
    this.requests.follow(message);
    this.numbers.follow(message);
    this.capabilities.follow(message);
    this.references.follow(message);
  }
}
