import { ruleFamily } from "./rule-family.js";

/** Number of messages after which an unanswered request is reported. */
const longAfter = 1_000;

export const requestRules = ruleFamily({
  rules: {
    "request.capability": {
      severity: "error",
      docs: "A request requires a capability that the other side has not announced.",
      isOneCause: true,
    },
    "request.unanswered": {
      severity: "warning",
      docs: "A request was never answered, although the session ended or continued for 1,000 more messages.",
      needs: ["both sides", "end"],
    },
  },
  checkMessage({ kind, name, from }, session, report) {
    const { judged, protocol, capabilities } = session;
    if (kind === "response") return;
    const needed = judged.reader.knownMessage(kind, name)?.gate;
    if (needed === undefined || needed.role === from || judged.registersLater) return;
    if (!capabilities.has(needed.role, needed.capability) && !session.isUngated(name ?? ""))
      report(
        "request.capability",
        `/${protocol.envelope[kind].name}`,
        `The ${needed.role} has not announced ${needed.capability}`,
        { gap: capabilities.gapOf(needed.role, needed.capability) },
      );
  },
  checkEnd(session, report) {
    const { protocol, requests, knowledge } = session;
    const closing = protocol.conversation?.closing;
    for (const role of protocol.roles) {
      const last = requests.lastOf(role);
      for (const place of requests.unanswered(role)) {
        // A side may end without a response to the request to end.
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
