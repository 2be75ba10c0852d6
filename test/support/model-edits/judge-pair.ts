import type { ValidateFunction } from "ajv";
import type { ProtocolDiff } from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { Type } from "../../../generator/model/types.js";
import type { Finding } from "../../../diff/finding.js";
import { readings } from "../../../diff/compare/accepted-values.js";
import { Side } from "../../../diff/compare/side.js";
import { Variance } from "../../../diff/compare/variance.js";
import type { Random } from "../random.js";
import { createReader, type Role } from "./ajv-readers.js";
import { readTolerantly, verdicts, type Verdict } from "./expected-readers.js";
import { openLists, versionOf, type Version } from "./versions.js";
import { sampleValues } from "./sample-payloads.js";

export type Policy = "strict" | "schema" | "tolerant";
export const policies: readonly Policy[] = ["strict", "schema", "tolerant"];

/** A version, its model, and readers for its messages. */
export interface Subject {
  readonly version: Version;
  readonly protocol: Protocol;
  /** The type of the message's payload. */
  readonly payload: Type;
  /** Whether the reader in a given role accepts a payload. Readers are compiled on first use. */
  readonly accepts: (role: Role, payload: unknown) => boolean;
  /** Payloads that a peer of this version may send. */
  readonly payloads: readonly unknown[];
  /** Creates additional payloads that a peer of this version may send. */
  readonly morePayloads: () => readonly unknown[];
}

export function createSubject(random: Random, protocol: Protocol, payload: Type): Subject {
  const version = versionOf(protocol, payload);
  const readers = new Map<Role, ValidateFunction>();
  const accepts = (role: Role, payload: unknown): boolean => {
    let reader = readers.get(role);
    if (reader === undefined) readers.set(role, (reader = createReader(version, role)));
    return reader(payload) === true;
  };
  const sample = (depth?: number): readonly unknown[] =>
    sampleValues(random, version, version.get("Payload")!, depth).filter((value) =>
      accepts("writer", value),
    );
  return {
    version,
    protocol,
    payload,
    accepts,
    payloads: sample(),
    morePayloads: () => sample(7),
  };
}

/** How many additional rounds of samples to try before a result is considered wrong. */
const moreSamples = 300;

/** A contradiction between a comparison and actual messages. */
export interface Contradiction {
  readonly policy: Policy;
  readonly pair: string;
  readonly problem: string;
  readonly payload?: unknown;
}

/** Properties of the message that carries the payloads. */
export interface JudgedMessage {
  /** Name of the field that holds the payload. */
  readonly field: string;
  /** Names of the pair for the old sender and of the pair for the new one. */
  readonly pairs: readonly [oldSender: string, newSender: string];
}

/**
 * Checks the results of comparing two versions against messages that peers using these versions may
 * send.
 */
export function judgePair(
  before: Subject,
  after: Subject,
  compare: (policy: Policy) => ProtocolDiff,
  { field, pairs }: JudgedMessage,
): readonly Contradiction[] {
  const diffs = new Map(policies.map((policy) => [policy, compare(policy)]));
  return [
    ...judgeWay(pairs[0], field, before, after, diffs),
    ...judgeWay(pairs[1], field, after, before, diffs),
  ];
}

function judgeWay(
  pair: string,
  field: string,
  sender: Subject,
  receiver: Subject,
  diffs: ReadonlyMap<Policy, ProtocolDiff>,
): readonly Contradiction[] {
  const shown = [...diffs.values()].flatMap(({ findings }) =>
    findings.flatMap(({ witnesses }) => witnesses.filter((each) => each.pair === pair)),
  );
  const payloadOf = (message: unknown): unknown =>
    (message as { readonly [name: string]: unknown })[field];
  const shownPayloads = shown.map(({ message }) => payloadOf(message));
  const problems: Contradiction[] = [];
  const report = (policy: Policy, problem: string, payload?: unknown): void => {
    problems.push({ policy, pair, problem, ...(payload === undefined ? {} : { payload }) });
  };
  const type = receiver.version.get("Payload")!;
  const payloads = [...sender.payloads, ...shownPayloads];
  for (const [policy, { findings }] of diffs) {
    const found = findings.map((finding) => finding.wire[pair] ?? "ok");
    const worst = worstOf(found);
    if (policy === "tolerant") {
      const verdictOf = (payload: unknown): Verdict =>
        readTolerantly(receiver.version, type, payload);
      const worstVerdictOf = (payload: unknown): Verdict =>
        readTolerantly(receiver.version, type, payload, false);
      const least = worstOf(payloads.map(verdictOf));
      let most = worstOf(payloads.map(worstVerdictOf));
      // The verdict may be right even though no sample shows it, so search for a message that does.
      if (isWorse(worst, most))
        most = worstOf([most, ...searched(sender, receiver).map(worstVerdictOf)]);
      for (let more = 0; more < moreSamples && isWorse(worst, most); more++)
        most = worstOf([most, ...sender.morePayloads().map(worstVerdictOf)]);
      const actual = isWorse(least, worst) ? least : isWorse(worst, most) ? most : worst;
      if (actual !== worst)
        report(
          policy,
          `${list(findings, pair)} but ${actual}`,
          payloads.find((payload) => verdictOf(payload) === actual),
        );
      continue;
    }
    const refused = worst === "rejected" ? undefined : findRefused(policy, sender, receiver);
    if (refused !== undefined) report(policy, `${list(findings, pair)} but rejected`, refused);
    const witnesses = findings.flatMap((finding) =>
      finding.witnesses.filter((each) => each.pair === pair),
    );
    // A finding may lack a witness, because the smallest message that shows the change may match
    // another alternative. In that case, some other message must be rejected.
    const isShown =
      witnesses.length > 0 || worst !== "rejected" || isRefused(policy, sender, receiver);
    if (!isShown) report(policy, `${list(findings, pair)} without a witness`);
    for (const { message } of witnesses) {
      const payload = payloadOf(message);
      if (!sender.accepts("schema", payload)) report(policy, "the witness is not sent", payload);
      if (receiver.accepts(policy, payload)) report(policy, "the witness is not rejected", payload);
    }
  }
  return problems;
}

/**
 * Payloads for deeply nested differences between two versions, which samples may miss. The readers
 * then decide whether such a payload is really rejected.
 */
function searched(sender: Subject, receiver: Subject): readonly unknown[] {
  const [writer, reader] = [new Side(sender.protocol), new Side(receiver.protocol)];
  return Object.values(readings).flatMap((reading) => {
    const found = new Variance(writer, reader, reading).counterexample(
      sender.payload,
      receiver.payload,
    );
    return found === undefined || !sender.accepts("schema", found) ? [] : [found];
  });
}

/** Returns a payload that the receiver rejects, or undefined if there is none. */
function findRefused(policy: "strict" | "schema", sender: Subject, receiver: Subject): unknown {
  if (policy === "schema")
    return sender.payloads.find((payload) => !receiver.accepts("open", payload));
  const lenient = createReader(receiver.version, "lenient", openLists(sender.version));
  return sender.payloads.find((payload) => !lenient(payload));
}

/**
 * Returns whether the receiver rejects any of the sender's messages, including rare ones that only
 * a search finds.
 */
function isRefused(policy: "strict" | "schema", sender: Subject, receiver: Subject): boolean {
  const reader = createReader(receiver.version, policy === "strict" ? "wary" : "open");
  const isRefusedOf = (payloads: readonly unknown[]): boolean =>
    payloads.some((payload) => !reader(payload));
  if (isRefusedOf(sender.payloads) || isRefusedOf(searched(sender, receiver))) return true;
  for (let more = 0; more < moreSamples; more++)
    if (isRefusedOf(sender.morePayloads())) return true;
  return false;
}

function isWorse(one: Verdict, other: Verdict): boolean {
  return verdicts.indexOf(one) > verdicts.indexOf(other);
}

function worstOf(given: readonly string[]): Verdict {
  return verdicts.findLast((verdict) => given.includes(verdict)) ?? "ok";
}

function list(findings: readonly Finding[], pair: string): string {
  const lines = findings.map(
    ({ rule, at, message: change, wire }) => `${rule} ${at} (${change}): ${String(wire[pair])}`,
  );
  return `says ${lines.join("; ") || "nothing"}`;
}
