import { findPhrases } from "../phrases.js";

/** A textlint rule that checks the prose of Markdown files, but not their code. */
export default function report(context) {
  const { Syntax, RuleError, report: add, getSource, locator } = context;
  return {
    [Syntax.Str](node) {
      for (const { start, end, message } of findPhrases(getSource(node)))
        add(node, new RuleError(message, { padding: locator.range([start, end]) }));
    },
  };
}
