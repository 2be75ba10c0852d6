import type { Site } from "./change.js";
import type { Comparison } from "./comparison.js";

const normative =
  /\b(must|shall|should|only|never|always|required?|default|capability|capabilities|supports?\w*)\b/i;

/** Compares what is said about two things: texts and deprecations. */
export function compareTexts(
  types: Comparison,
  before: { readonly docs?: string; readonly deprecated?: string },
  after: { readonly docs?: string; readonly deprecated?: string },
  site: Site,
): void {
  if ((before.deprecated === undefined) !== (after.deprecated === undefined))
    types.report(site, after.deprecated === undefined ? "deprecated.removed" : "deprecated.added", {
      change: after.deprecated ?? before.deprecated ?? "",
    });
  if (before.docs === after.docs) return;
  const [old, now] = [sentences(before.docs), sentences(after.docs)];
  const changed = [...old, ...now].filter((each) => !old.includes(each) || !now.includes(each));
  if (changed.length === 0) return;
  const isNormative = changed.some((sentence) => normative.test(sentence));
  types.report(site, isNormative ? "doc.normative" : "doc.changed", {
    change: shorten(changed.find((each) => !isNormative || normative.test(each))!),
    decision: "",
  });
}

function sentences(text: string | undefined): readonly string[] {
  return (text ?? "")
    .split(/(?<=[.!?:])\s+|\n+/)
    .map((sentence) => sentence.replaceAll(/\s+/g, " ").trim())
    .filter((sentence) => sentence !== "");
}

function shorten(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`;
}
