import { findPhrases } from "../phrases.js";

/** textlint: the prose of Markdown, without its code. */
export default function report(context) {
  const { Syntax, RuleError, report: add, getSource, locator } = context;
  return {
    [Syntax.Str](node) {
      for (const { start, end, message } of findPhrases(getSource(node)))
        add(node, new RuleError(message, { padding: locator.range([start, end]) }));
    },
  };
}
