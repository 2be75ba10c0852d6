import type { Scope } from "./comparison.js";
import { ruleFamily } from "./rule-family.js";

export const textRules = ruleFamily({
  "deprecated.added": {
    title: "Deprecated",
    reason: "A deprecated part still works.",
    mirror: "deprecated.removed",
  },
  "deprecated.removed": {
    title: "No longer deprecated",
    reason: "The part is no longer deprecated, so it may be used again.",
  },
  "doc.normative": {
    title: "Description of requirements changed",
    reason:
      "The description mentions requirements, capabilities or defaults, so read it carefully.",
  },
  "doc.changed": {
    title: "Description changed",
    reason: "The rules stated in the description do not seem to have changed.",
  },
});

const normative =
  /\b(must|shall|should|only|never|always|required?|default|capability|capabilities|supports?\w*)\b/i;

/** Compares the descriptions and deprecations of two parts. */
export function compareTexts(
  scope: Scope,
  before: { readonly docs?: string; readonly deprecated?: string },
  after: { readonly docs?: string; readonly deprecated?: string },
): void {
  if (before.docs === after.docs && before.deprecated === after.deprecated) return;
  const [wasDeprecated, isDeprecated] = [before, after].map(
    ({ deprecated }) => deprecated !== undefined,
  );
  if (wasDeprecated !== isDeprecated)
    scope.report(textRules[isDeprecated ? "deprecated.added" : "deprecated.removed"], {
      change:
        (after.deprecated ?? before.deprecated ?? "") ||
        (isDeprecated ? "deprecated" : "no longer deprecated"),
    });
  // If the part is deprecated in only one version, another rule reports that.
  const isOfBoth = wasDeprecated && isDeprecated;
  const [sentencesBefore, sentencesAfter] = [before, after].map(({ docs, deprecated }) =>
    sentences(isOfBoth ? `${docs ?? ""}\n${deprecated ?? ""}` : docs),
  ) as [readonly string[], readonly string[]];
  const changed = [...sentencesBefore, ...sentencesAfter].filter(
    (each) => !sentencesBefore.includes(each) || !sentencesAfter.includes(each),
  );
  if (changed.length === 0) return;
  const isNormative = changed.some((sentence) => normative.test(sentence));
  scope.report(textRules[isNormative ? "doc.normative" : "doc.changed"], {
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
