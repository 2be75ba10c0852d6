import type { Gap } from "../state/knowledge.js";
import type { SessionState } from "../state/session-state.js";
import { ruleFamily } from "./rule-family.js";

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
    for (const each of registrations.namesIn(message, "register")) {
      const { role, flags } = judged.registrationConsents.get(each.name) ?? {
        role: from,
        flags: [],
      };
      const [flag] = flags;
      if (flag !== undefined && !flags.some((other) => capabilities.has(role, other)))
        report(
          "request.registration",
          each.pointer,
          `The ${role} has not announced ${flags.join(" or ")}`,
          { gap: capabilities.gapOf(role, flag) },
        );
    }
    const known = judged.reader.knownMessage(kind, name);
    const needed = known?.gate;
    if (known === undefined || needed === undefined || needed.role === from) return;
    if (judged.hasUnseenRegistrations || registrations.has(needed.role, known)) return;
    if (!capabilities.has(needed.role, needed.capability) && !session.isUngated(known.name))
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
