import { ruleFamily } from "./rule-family.js";

export const requestRules = ruleFamily({
  rules: {
    "request.capability": {
      severity: "error",
      docs: "A request that the other side has not announced to handle.",
      isOneCause: true,
    },
    "request.unanswered": {
      severity: "warning",
      docs: "A request that was never answered, though the session went on.",
    },
  },
  checkMessage({ kind, name, from }, { judged, protocol, capabilities }, report) {
    if (kind === "response") return;
    const needed = judged.reader.knownMessage(kind, name)?.gate;
    if (needed === undefined || needed.role === from || judged.registersLater) return;
    if (!capabilities.has(needed.role, needed.flag))
      report(
        "request.capability",
        `/${protocol.envelope[kind].name}`,
        `The ${needed.role} has not announced ${needed.flag}`,
      );
  },
  checkEnd({ protocol, requests, isOneSided }, report) {
    if (isOneSided) return;
    for (const role of protocol.roles) {
      const sent = requests.of(role);
      // The last request may have ended the session.
      for (const request of sent.slice(0, -1))
        if (!request.isAnswered) report("request.unanswered", "", "No response has come", request);
    }
  },
});
