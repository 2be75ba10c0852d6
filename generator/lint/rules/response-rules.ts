import { shortName, valueText } from "../../session/remembered.js";
import type { SessionState } from "../state/session-state.js";
import { ruleFamily, type Report } from "./rule-family.js";

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
    "response.missing": {
      severity: "warning",
      docs: "A command without an answer, in a protocol whose answers have the order of their commands: a later command is answered.",
      needs: ["both sides", "order"],
    },
    "response.late": {
      severity: "info",
      docs: "A response that came more than ten seconds after its request.",
    },
  },
  checkMessage({ mismatch, request, latency, fields, from }, session, report) {
    const { protocol, requests } = session;
    const { replyTo = "", response } = protocol.envelope;
    const number = valueText(fields[replyTo]);
    if (mismatch === "unmatched")
      report("response.unmatched", `/${replyTo}`, `Nothing was asked with the number ${number}`, {
        gap: requests.gapOf(from, fields),
      });
    if (mismatch === "double")
      report("response.double", `/${replyTo}`, `The request ${number} was answered before`);
    checkLane(session, report);
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

/** If messages have no ids, the order of commands and answers shows which belong together. */
function checkLane(
  { laneAnswer, knowledge, protocol }: SessionState,
  report: Report<"response.unmatched" | "response.missing">,
): void {
  if (laneAnswer === undefined) return;
  const { isUnmatched, isSure, skipped } = laneAnswer;
  for (const place of skipped)
    report("response.missing", "", "A later command is answered", { place });
  if (!isUnmatched) return;
  const gap =
    knowledge.gapOf("both sides") ??
    knowledge.gapOf("order") ??
    (isSure ? undefined : knowledge.startGap);
  report("response.unmatched", `/${protocol.envelope.event.name}`, "No command is waiting for it", {
    gap,
  });
}

function nameText(name: unknown): string {
  if (name === undefined) return "nothing";
  return typeof name === "string" ? JSON.stringify(shortName(name)) : valueText(name);
}
