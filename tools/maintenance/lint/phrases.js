/**
 * Phrases that sound translated, each with the wording of a native speaker. They are matched as
 * whole words, ignoring case.
 */
const phrases = [
  [
    /\b(?<!there )(?:is|are|was|were) no (?!such|longer|more|other|limit|part|one|need|way|room|reason|exact)[a-z]+/gi,
    '"is not a …"',
  ],
  [/\bgo(?:es)? on\b/gi, '"continue"'],
  [/\b(?:told apart|tells? [^.;:]{1,60} apart)\b/gi, '"distinguish"'],
  [/\b(?:is|are|was|were|be|been) told\b/gi, '"is reported", "learns" or "receives"'],
  [/\bbehind\b/gi, '"after"'],
  [/\bmeets\b/gi, '"satisfies", "receives" or "affects"'],
  [/(?<=^[\s*]*)What (?!to\b)[a-z][^?]*$/g, "a noun"],
  [/\bwhat (?:is|was|are|were) not\b/gi, "a noun"],
  [/\bany more\b/gi, '"no longer"'],
  [/\banew\b/gi, '"again"'],
  [
    /\b(?:it|that|which|what|they|these) stands?\b(?! (?:for|in|still))/gi,
    '"is", "are" or "occurs"',
  ],
];

/** Finds the phrases in a text. Returns the start, the end and the message of each. */
export function findPhrases(text) {
  return phrases.flatMap(([pattern, better]) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
      message: `"${found}" reads as translated: write ${better}`,
    })),
  );
}

/** An ESLint rule that checks comments, strings of several words, and the text of elements. */
export const eslintRule = {
  meta: { type: "suggestion", schema: [] },
  create(context) {
    const { sourceCode } = context;
    const check = (node, text) => {
      for (const { message } of findPhrases(text)) context.report({ loc: node.loc, message });
    };
    return {
      Program: () =>
        sourceCode.getAllComments().forEach((comment) => check(comment, comment.value)),
      Literal: (node) => typeof node.value === "string" && check(node, node.value),
      TemplateElement: (node) => check(node, node.value.raw),
      JSXText: (node) => check(node, node.value),
    };
  },
};
