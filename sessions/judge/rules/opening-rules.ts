import { ruleFamily } from "./rule-family.js";

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
  },
  checkMessage({ kind, name }, { protocol, isOpening, isOpen, knowledge, early }, report) {
    const { opening, duringOpening = [] } = protocol.conversation ?? {};
    if (opening === undefined || isOpen || kind === "response") return;
    const text = `The message is sent before the response to "${opening}"`;
    const isEarly = (each: string | undefined): boolean => !duringOpening.includes(each ?? "");
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
