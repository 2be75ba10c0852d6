import { shortName, valueText } from "../../read/remembered.js";
import type { SessionState } from "../state/session-state.js";
import { ruleFamily, type Report } from "./rule-family.js";

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
  checkMessage({ mismatch, request, latency, fields, from }, session, report) {
    const { protocol, requests } = session;
    const { replyTo = "", response } = protocol.envelope;
    const number = valueText(fields[replyTo]);
    if (mismatch === "unmatched")
      report("response.unmatched", `/${replyTo}`, `There is no request with the number ${number}`, {
        gap: requests.gapOf(from, fields),
      });
    if (mismatch === "double")
      report("response.double", `/${replyTo}`, `Request ${number} was already answered`);
    checkLane(session, report);
    if (request === undefined || request.isAnswered) return;
    const field = response?.name ?? "";
    if (mismatch === "misnamed")
      report(
        "response.name",
        `/${field}`,
        `The request is "${request.name}", but the response names ${nameText(fields[field])}`,
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
