import { type Report, ruleFamily } from "./rule-family.js";
import { isObject } from "../../runtime/protocol/message-fields.js";
import { type Gap, isCrash } from "./knowledge.js";
import {
  envelopeOf,
  sequenceFieldOf,
  sequenceNumberOf,
  type SessionState,
} from "./session-state.js";
import { shortName, valueText } from "../read/remembered.js";

export const numberRules = ruleFamily({
  rules: {
    "number.order": {
      severity: "warning",
      docs: "Message numbers from one side do not increase.",
      needs: ["own order"],
    },
  },
  checkMessage(message, { numbers, protocol }, report) {
    const number = sequenceNumberOf(message, protocol);
    const last = numbers.get(message.from);
    if (number !== undefined && last !== undefined && number <= last)
      report(
        "number.order",
        `/${sequenceFieldOf(message, protocol)}`,
        number === last ? `${number} is repeated` : `${number} follows ${last}`,
      );
  },
});

export const openingRules = ruleFamily({
  rules: {
    "opening.early": {
      severity: "warning",
      docs: "A message is sent before the response to the opening request, although the protocol does not allow it.",
      needs: ["order", "no loss"],
    },
    "opening.late": {
      severity: "error",
      docs: "The opening request is sent after another message from its side.",
    },
    "opening.missing": {
      severity: "error",
      docs: "The opening request is never sent.",
      needs: ["both sides"],
    },
    "opening.version": {
      severity: "info",
      docs: "The session uses another version of the protocol than the schema that judges it.",
    },
  },
  checkMessage(
    { kind, name, body, payloadField },
    { protocol, isOpening, isOpen, knowledge, early },
    report,
  ) {
    const { opening, duringOpening = [], version } = protocol.conversation ?? {};
    if (opening === undefined || isOpen) return;
    if (kind === "response") {
      const used = name === opening && isObject(body) ? body[version ?? ""] : undefined;
      if (isOtherVersion(used, protocol.version))
        report(
          "opening.version",
          `/${payloadField}/${version}`,
          `The session uses version ${valueText(used)}, but the schema is that of ${protocol.version}`,
        );
      return;
    }
    const text = `The message is sent before the response to "${opening}"`;
    const isEarly = (message: string | undefined): boolean =>
      !duringOpening.includes(message ?? "");
    if (kind !== "request" || name !== opening) {
      if (isOpening && isEarly(name)) report("opening.early", "", text);
    } else if (knowledge.first !== opening)
      report("opening.late", "", `No message may be sent before "${opening}"`, {
        gap: knowledge.isFirstCounted ? undefined : "start",
      });
    else
      for (const place of early)
        if (isEarly(place.name)) report("opening.early", "", text, { place });
  },
  checkEnd(session, report) {
    const { protocol, knowledge, hasOpening } = session;
    const opening = protocol.conversation?.opening;
    const place = knowledge.firstPlace;
    if (opening === undefined || place === undefined || hasOpening) return;
    report("opening.missing", "", `The session begins without "${opening}"`, {
      place,
      gap: knowledge.isFirstKnown ? session.gapOf(["both sides"]) : "start",
    });
  },
});

/** Returns whether a version is another one than a schema's, provided that both are written alike. */
function isOtherVersion(used: unknown, version: string): boolean {
  const text = String(used);
  return text !== version && text.replaceAll(/\d/g, "0") === version.replaceAll(/\d/g, "0");
}

/**
 * Number of subsequent messages after which an unanswered request is reported even if the session
 * has not ended.
 */
const longAfter = 1_000;

export const requestRules = ruleFamily({
  rules: {
    "request.capability": {
      severity: "error",
      docs: "A request requires a capability that the other side has not announced.",
      isOneCause: true,
    },
    "request.registration": {
      severity: "error",
      docs: "A side registers for a message, but the other side has not announced support for this registration.",
      isOneCause: true,
    },
    "request.unanswered": {
      severity: "warning",
      docs: "A request was never answered, although the session ended or continued for more than 1,000 messages.",
      needs: ["both sides", "end"],
    },
  },
  checkMessage(message, session, report) {
    const { kind, name, from } = message;
    const { judged, protocol, capabilities, registrations } = session;
    if (kind === "response") return;
    for (const registration of registrations.namesIn(message, "register")) {
      const { role, flags } = judged.registrationConsents.get(registration.name) ?? {
        role: from,
        flags: [],
      };
      const [flag] = flags;
      if (flag !== undefined && !flags.some((other) => capabilities.has(role, other)))
        report(
          "request.registration",
          registration.pointer,
          `The ${role} has not announced ${flags.join(" or ")}`,
          { gap: capabilities.gapOf(role, flag) },
        );
    }
    const protocolMessage = judged.reader.knownMessage(kind, name);
    const needed = protocolMessage?.gate;
    if (protocolMessage === undefined || needed === undefined || needed.role === from) return;
    if (judged.hasUnseenRegistrations || registrations.has(needed.role, protocolMessage)) return;
    if (
      !capabilities.has(needed.role, needed.capability) &&
      !session.isUngated(protocolMessage.name)
    )
      report(
        "request.capability",
        `/${protocol.envelope[kind].name}`,
        `The ${needed.role} has not announced ${needed.capability}`,
        {
          gap:
            capabilities.gapOf(needed.role, needed.capability) ??
            registrationGap(session, needed.role),
        },
      );
  },
  checkEnd(session, report) {
    const { protocol, requests, knowledge } = session;
    const closing = protocol.conversation?.closing;
    for (const role of protocol.roles) {
      const last = requests.lastOf(role);
      for (const place of requests.unanswered(role)) {
        // A side does not have to respond to the request that ends the session.
        const mayEnd = closing === undefined ? place.index === last : place.name === closing;
        if ((mayEnd && !knowledge.hasCrashed) || knowledge.isAfterEnd(place)) continue;
        const isLong = session.index - place.index > longAfter;
        const gap = session.gapOf(isLong ? ["both sides"] : ["both sides", "end"]);
        report("request.unanswered", "", "The request was never answered", { place, gap });
      }
      for (let count = requests.forgotten(role); count > 0; count--)
        report("request.unanswered", "", "The request was never answered", { gap: "memory" });
    }
  },
});

/**
 * Returns why a role may have registered for a message even though the registration is not in the
 * recording.
 */
function registrationGap(session: SessionState, role: string): Gap | undefined {
  const { register } = session.protocol.capabilities.find((each) => each.role === role) ?? {};
  return register === undefined ? undefined : session.gapOf(["no loss"]);
}

/** Milliseconds after which a response is late. */
const lateAfter = 10_000;

export const responseRules = ruleFamily({
  rules: {
    "response.unmatched": {
      severity: "error",
      docs: "A response belongs to a request that was never sent. Many readers then end the session.",
    },
    "response.double": {
      severity: "error",
      docs: "A request receives a second response.",
      needs: ["own order"],
    },
    "response.name": {
      severity: "warning",
      docs: "A response names a different request than the one it answers.",
      needs: ["own order"],
    },
    "response.missing": {
      severity: "warning",
      docs: "A command was not answered, but a later one was. In this protocol, answers arrive in the order of their commands.",
      needs: ["both sides", "order"],
    },
    "response.late": {
      severity: "info",
      docs: "A response arrived more than ten seconds after its request.",
    },
  },
  checkMessage({ mismatch, request, latency, fields, written, dialect, from }, session, report) {
    const { protocol, requests } = session;
    const { id: idField, replyTo = "", response } = envelopeOf(protocol, dialect);
    const id = written[replyTo];
    const number = typeof id === "string" ? JSON.stringify(shortName(id)) : valueText(id);
    const noun = idField === replyTo ? "id" : "number";
    if (mismatch === "unmatched")
      report(
        "response.unmatched",
        `/${replyTo}`,
        `There is no request with the ${noun} ${number}`,
        {
          gap: requests.gapOf(from, fields),
        },
      );
    if (mismatch === "double")
      report("response.double", `/${replyTo}`, `Request ${number} was already answered`);
    checkLane(session, report);
    if (request === undefined || request.isAnswered) return;
    const field = response?.name ?? "";
    if (mismatch === "misnamed")
      report(
        "response.name",
        `/${field}`,
        `The request is "${request.name}", but the response names ${nameText(written[field])}`,
      );
    if (latency !== undefined && latency > lateAfter)
      report("response.late", "", `The response took ${(latency / 1_000).toFixed(1)} seconds`);
  },
});

/** Checks the order of commands and answers in protocols whose messages have no ids. */
function checkLane(
  { laneAnswer, knowledge, protocol }: SessionState,
  report: Report<"response.unmatched" | "response.missing">,
): void {
  if (laneAnswer === undefined) return;
  const { isUnmatched, isSure, skipped } = laneAnswer;
  for (const place of skipped)
    report("response.missing", "", "The command was not answered, but a later one was", { place });
  if (!isUnmatched) return;
  const gap =
    knowledge.gapOf("both sides") ??
    knowledge.gapOf("order") ??
    (isSure ? undefined : knowledge.startGap);
  report(
    "response.unmatched",
    `/${protocol.envelope.event.name}`,
    "No command is waiting for this answer",
    { gap },
  );
}

function nameText(name: unknown): string {
  if (name === undefined) return "no request";
  return typeof name === "string" ? JSON.stringify(shortName(name)) : valueText(name);
}

/** Matches a `wirewright tap` entry that reports a failed program's exit. */
const failed = /^exited with (?!0$)-?\d+$/;

export const endingRules = ruleFamily({
  rules: {
    "exit.signal": {
      severity: "error",
      docs: "A side's process crashed: it was terminated by a signal, or its exit code indicates a crash.",
    },
    "exit.code": {
      severity: "warning",
      docs: "A side's process ended with an error code.",
    },
  },
  checkOther({ ended }, report) {
    if (ended === undefined) return;
    if (isCrash(ended)) report("exit.signal", "", `The process ${ended}`);
    else if (failed.test(ended)) report("exit.code", "", `The process ${ended}`);
  },
});
