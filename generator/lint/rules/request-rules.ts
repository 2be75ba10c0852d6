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
      needs: ["both sides", "end"],
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
        { gap: capabilities.gapOf(needed.role, needed.flag) },
      );
  },
  checkEnd({ protocol, requests }, report) {
    for (const role of protocol.roles) {
      const unanswered = [...requests.unanswered(role)];
      // The last request may have ended the session.
      for (const place of unanswered)
        if (place.index < requests.lastOf(role))
          report("request.unanswered", "", "No response has come", { place });
      for (let count = requests.forgotten(role); count > 0; count--)
        report("request.unanswered", "", "No response has come", { gap: "memory" });
    }
  },
});
