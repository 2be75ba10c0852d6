import type { StructureMatcher } from "./structure.js";
import { type OwnedProperty } from "./side.js";

/** The evidence that a property was renamed. */
export interface RenameEvidence {
  /** Certainty from 0 to 1. */
  readonly score: number;
  readonly reasons: readonly string[];
}

export interface RenamedProperty {
  readonly before: OwnedProperty;
  readonly after: OwnedProperty;
  readonly evidence: RenameEvidence;
}

/** Minimum score for a property to count as renamed. */
const leastScore = 0.7;

/** Minimum proportion of shared words for two descriptions to count as similar. */
const leastShare = 0.6;

/**
 * Pairs up removed and added properties that are probably a single renamed property. Each must be
 * the other's best match.
 */
export function findRenamed(
  structure: StructureMatcher,
  [removed, allBefore]: readonly [readonly OwnedProperty[], readonly OwnedProperty[]],
  [added, allAfter]: readonly [readonly OwnedProperty[], readonly OwnedProperty[]],
): readonly RenamedProperty[] {
  const pairs = removed.flatMap((before) =>
    added
      .filter(
        (after) => before.required === after.required && structure.isSame(before.type, after.type),
      )
      .map((after): RenamedProperty => ({ before, after, evidence: judge(before, after) })),
  );
  function judge(before: OwnedProperty, after: OwnedProperty): RenameEvidence {
    const isOnly =
      added.filter(({ type }) => structure.isSame(before.type, type)).length === 1 &&
      removed.filter(({ type }) => structure.isSame(type, after.type)).length === 1;
    const signs: readonly (readonly [boolean, number, string])[] = [
      [true, 0.4, "the same type"],
      [isOnly, 0.1, "the only removed and added properties of this type"],
      [haveCommonWord(before.name, after.name), 0.3, "a word in common"],
      [haveSimilarTexts(before.docs, after.docs), 0.3, "similar descriptions"],
      // If the property is optional, it is more likely to have been dropped than renamed.
      [
        isSamePlace(before, after, allBefore, allAfter),
        before.required ? 0.2 : 0.1,
        "the same neighbouring properties",
      ],
    ];
    const evidence = signs.filter(([isTrue]) => isTrue);
    const score = evidence.reduce((sum, [, weight]) => sum + weight, 0);
    return {
      score: Math.min(1, Math.round(score * 10) / 10),
      reasons: evidence.map(([, , reason]) => reason),
    };
  }
  return pairs.filter(({ before, after, evidence }) => {
    const rivals = pairs.filter((each) => (each.before === before) !== (each.after === after));
    return (
      evidence.score >= leastScore && rivals.every((each) => each.evidence.score < evidence.score)
    );
  });
}

function haveCommonWord(before: string, after: string): boolean {
  const words = (name: string): readonly string[] =>
    name.split(/(?=[A-Z])|[_-]/).map((word) => word.toLowerCase());
  const wordsAfter = words(after);
  return words(before).some((word) => wordsAfter.includes(word));
}

function haveSimilarTexts(before = "", after = ""): boolean {
  const [wordsBefore, wordsAfter] = [before, after].map(
    (text) => new Set(text.toLowerCase().match(/\w+/g)),
  );
  const common = [...wordsBefore!].filter((word) => wordsAfter!.has(word)).length;
  return common > 2 && common / Math.max(wordsBefore!.size, wordsAfter!.size) >= leastShare;
}

/**
 * Returns whether two properties have the same neighbours in their objects, with at least one
 * neighbour each.
 */
function isSamePlace(
  before: OwnedProperty,
  after: OwnedProperty,
  allBefore: readonly OwnedProperty[],
  allAfter: readonly OwnedProperty[],
): boolean {
  const [neighboursBefore, neighboursAfter] = [
    neighbours(allBefore, before),
    neighbours(allAfter, after),
  ];
  return neighboursBefore.join() !== "," && neighboursBefore.join() === neighboursAfter.join();
}

function neighbours(all: readonly OwnedProperty[], property: OwnedProperty): readonly string[] {
  const index = all.indexOf(property);
  return [all[index - 1]?.name ?? "", all[index + 1]?.name ?? ""];
}
