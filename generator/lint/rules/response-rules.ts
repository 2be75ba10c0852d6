import { shortName, valueText } from "../../session/remembered.js";
import { ruleFamily } from "./rule-family.js";

/** Milliseconds after which a response is late. */
const lateAfter = 10_000;

export const responseRules = ruleFamily({
  rules: {
    "response.unmatched": {
      severity: "error",
      docs: "A response to nothing that was asked: many readers end the session.",
    },
    "response.double": {
      severity: "error",
      docs: "A second response to the same request.",
      needs: ["own order"],
    },
    "response.name": {
      severity: "warning",
      docs: "A response that names another request than the one it answers.",
      needs: ["own order"],
    },
    "response.late": {
      severity: "info",
      docs: "A response that came more than ten seconds after its request.",
    },
  },
  checkMessage({ mismatch, request, latency, fields, from }, { protocol, requests }, report) {
    const { replyTo = "", response } = protocol.envelope;
    const number = valueText(fields[replyTo]);
    if (mismatch === "unmatched")
      report("response.unmatched", `/${replyTo}`, `Nothing was asked with the number ${number}`, {
        gap: requests.gapOf(from, fields),
      });
    if (mismatch === "double")
      report("response.double", `/${replyTo}`, `The request ${number} was answered before`);
    if (request === undefined || request.isAnswered) return;
    const field = response?.name ?? "";
    if (mismatch === "misnamed")
      report(
        "response.name",
        `/${field}`,
        `It says ${nameText(fields[field])} and answers "${request.name}"`,
      );
    if (latency !== undefined && latency > lateAfter)
      report("response.late", "", `It took ${(latency / 1_000).toFixed(1)} seconds`);
  },
});

function nameText(name: unknown): string {
  if (name === undefined) return "nothing";
  return typeof name === "string" ? JSON.stringify(shortName(name)) : valueText(name);
}
