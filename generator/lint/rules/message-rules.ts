import { nearestText as nearest } from "../../../runtime/base/nearest-text.js";
import { ruleFamily } from "./rule-family.js";

export const messageRules = ruleFamily({
  rules: {
    "message.kind": {
      severity: "error",
      docs: "A message that is neither request, event nor response.",
    },
    "message.custom": {
      severity: "info",
      docs: "A message that the protocol does not define.",
    },
    "message.sender": {
      severity: "error",
      docs: "A message that the other side sends, not this one.",
    },
    "message.deprecated": {
      severity: "info",
      docs: "A deprecated message.",
    },
  },
  checkOther({ message }, report) {
    if (message !== undefined)
      report("message.kind", "", "It is neither request, event nor response");
  },
  checkMessage({ kind, name, from }, { judged, protocol }, report) {
    if (kind === "response") return;
    const known = judged.reader.knownMessage(kind, name);
    const pointer = `/${protocol.envelope[kind].name}`;
    if (known === undefined) {
      const meant = nearest(name ?? "", judged.reader.namesOf(kind));
      const hint = meant === undefined ? "" : `: did you mean "${meant}"?`;
      report("message.custom", pointer, `The protocol does not define it${hint}`);
      return;
    }
    const { sender, deprecated } = known;
    if (sender !== "both" && sender !== from)
      report("message.sender", pointer, `The ${sender} sends it, not the ${from}`);
    if (deprecated !== undefined)
      report("message.deprecated", pointer, deprecated || "It is deprecated");
  },
});
