import { nearestText as nearest } from "../../../runtime/base/nearest-text.js";
import { ruleFamily } from "./rule-family.js";

export const messageRules = ruleFamily({
  rules: {
    "message.kind": {
      severity: "error",
      docs: "The message is not a request, an event or a response.",
    },
    "message.custom": {
      severity: "info",
      docs: "The protocol does not define the message.",
    },
    "message.sender": {
      severity: "error",
      docs: "Only the other side may send the message.",
    },
    "message.deprecated": {
      severity: "info",
      docs: "The message is deprecated.",
    },
  },
  checkOther({ message }, report) {
    if (message !== undefined)
      report("message.kind", "", "The message is not a request, an event or a response");
  },
  checkMessage({ kind, name, from }, { judged, protocol }, report) {
    if (kind === "response") return;
    const known = judged.reader.knownMessage(kind, name);
    const pointer = `/${protocol.envelope[kind].name}`;
    if (known === undefined) {
      const meant = nearest(name ?? "", judged.reader.namesOf(kind));
      const hint = meant === undefined ? "" : `: did you mean "${meant}"?`;
      report("message.custom", pointer, `The protocol does not define this message${hint}`);
      return;
    }
    const { sender, deprecated } = known;
    if (sender !== "both" && sender !== from)
      report(
        "message.sender",
        pointer,
        `Only the ${sender} may send this message, not the ${from}`,
      );
    if (deprecated !== undefined)
      report("message.deprecated", pointer, deprecated || "The message is deprecated");
  },
});
