import { ts } from "ts-morph";

/** The kinds of text that people read. */
export type TextKind = "comment" | "message" | "title" | "prose";

/** A piece of text in a file: its position, and its words without comment markers or quotes. */
export interface PlacedText {
  readonly kind: TextKind;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Collects the texts in a TypeScript, JavaScript, Markdown or JSON file. Other files have none. */
export function textsOf(path: string, content: string): readonly PlacedText[] {
  if (/\.(?:[cm]?js|tsx?)$/.test(path)) return textsOfCode(path, content);
  if (path.endsWith(".md")) return textsOfMarkdown(content);
  if (path.endsWith(".json")) return textsOfJson(content);
  return [];
}

function textsOfCode(path: string, content: string): readonly PlacedText[] {
  const source = ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true);
  const texts: PlacedText[] = [];
  const add = (kind: TextKind, start: number, end: number, text: string): void => {
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    texts.push({ kind, line, start, end, text });
  };
  const seen = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (node.getChildCount(source) === 0) {
      for (const { pos, end } of commentsBefore(content, node.getFullStart())) {
        if (!seen.has(pos)) add("comment", pos, end, commentText(content.slice(pos, end)));
        seen.add(pos);
      }
    }
    if (isText(node)) {
      const text = literalText(node, source);
      if (/[a-z]{2,} [^ ]/i.test(text) && !isCode(text))
        add(isTitle(node) ? "title" : "message", node.getStart(source), node.getEnd(), text);
    }
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  return texts.sort((a, b) => a.start - b.start);
}

/**
 * Returns the comments between a position and the next token. Consecutive `//` lines count as one
 * comment.
 */
function commentsBefore(content: string, at: number): readonly { pos: number; end: number }[] {
  const ranges = [
    ...(ts.getTrailingCommentRanges(content, at) ?? []),
    ...(ts.getLeadingCommentRanges(content, at) ?? []),
  ];
  const merged: { pos: number; end: number; kind: ts.SyntaxKind }[] = [];
  for (const { pos, end, kind } of ranges) {
    const last = merged.at(-1);
    const between = last && content.slice(last.end, pos);
    if (
      last?.kind === kind &&
      kind === ts.SyntaxKind.SingleLineCommentTrivia &&
      /^\r?\n[ \t]*$/.test(between ?? "")
    )
      last.end = end;
    else if (last === undefined || pos >= last.end) merged.push({ pos, end, kind });
  }
  return merged;
}

/**
 * Returns the words of a comment. The lines of a paragraph are joined, so that each paragraph or
 * list item is one line.
 */
function commentText(raw: string): string {
  const lines = raw.startsWith("//")
    ? raw.split("\n").map((line) => line.replace(/^\s*\/\/ ?/, ""))
    : raw
        .replace(/^\/\*\*?|\*\/$/g, "")
        .split("\n")
        .map((line) => line.replace(/^\s*\* ?/, ""));
  let isCode = false;
  const joined = lines.map((line, index) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const next = lines[index + 1] ?? "";
    const isHard =
      isCode || line.trim() === "" || /^(?:\s*$|\s*(?:- |@|\||```|\d+\. )| {4,})/.test(next);
    const text = isCode || /^ {4,}/.test(line) ? line.trimEnd() : line.trim();
    return text + (index === lines.length - 1 ? "" : isHard ? "\n" : " ");
  });
  return joined.join("").trim();
}

function isText(node: ts.Node): boolean {
  if (ts.isJsxText(node) || ts.isTemplateExpression(node)) return true;
  return (
    ts.isStringLiteralLike(node) &&
    !ts.isImportDeclaration(node.parent) &&
    !ts.isExportDeclaration(node.parent) &&
    !ts.isLiteralTypeNode(node.parent)
  );
}

/** Returns a literal's words as written in the source, with `{}` for each value in a template. */
function literalText(node: ts.Node, source: ts.SourceFile): string {
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("{}");
  return ts.isStringLiteralLike(node) ? node.text : node.getText(source).trim();
}

/** Returns whether a string is a command, or code that a program prints. */
function isCode(text: string): boolean {
  return (
    /^\s*(?:export|const|return|import|readonly|switch|throw|await|for|if) ?[^a-z]*[({"'[<]/.test(
      text,
    ) ||
    /^(?:export|const|import|readonly|return|console)\b.*[;{=]\s*$|=>|===|\bas const\b|[;{(]\s*$|\S {2,}\| |^export interface /.test(
      text,
    )
  );
}

function isTitle({ parent }: ts.Node): boolean {
  if (!ts.isCallExpression(parent)) return false;
  const callee = parent.expression.getText();
  return /^(?:test|it|describe|suite|t\.test)(?:\.\w+)?$/.test(callee);
}

function textsOfMarkdown(content: string): readonly PlacedText[] {
  const texts: PlacedText[] = [];
  let fence: string | undefined;
  let start = 0;
  let open: { start: number; end: number; line: number } | undefined;
  const close = (): void => {
    if (open === undefined) return;
    const text = content.slice(open.start, open.end).replace(/\s+/g, " ");
    if (/[a-z]{2,} [^ ]/i.test(text)) texts.push({ kind: "prose", ...open, text });
    open = undefined;
  };
  for (const [index, line] of content.split("\n").entries()) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || line.trim() === fence)) {
      close();
      fence = fence === undefined ? mark : undefined;
    } else if (fence === undefined) {
      if (/^\s*(?:$|#|[-*] |\d+\. |\||<)/.test(line)) close();
      const end = start + line.length;
      if (line.trim() !== "" && !/^\s*<!--/.test(line) && !isFigures(line))
        open = { start: open?.start ?? start, end, line: open?.line ?? index + 1 };
    }
    start += line.length + 1;
  }
  close();
  return texts;
}

/**
 * Returns whether a line is a table row in which no cell except the first contains three or more
 * words outside code.
 */
function isFigures(line: string): boolean {
  if (!/^\s*\|/.test(line)) return false;
  const cells = line
    .replace(/`[^`]*`|\]\([^)]*\)/g, " 0 ")
    .split("|")
    .slice(2, -1);
  return (
    cells.some((cell) => /\d/.test(cell)) &&
    cells.every((cell) => (cell.match(/\b[a-z]{3,}\b/gi) ?? []).length < 3)
  );
}

function textsOfJson(content: string): readonly PlacedText[] {
  return [...content.matchAll(/"(?:[^"\\\n]|\\.)*"/g)].flatMap(({ 0: raw, index }) => {
    const text = JSON.parse(raw) as string;
    const isKey = /^\s*:/.test(content.slice(index + raw.length, index + raw.length + 8));
    if (isKey || !/[a-z]{2,} [a-z]+ /i.test(text) || /^(?:node|npm) /.test(text)) return [];
    const line = content.slice(0, index).split("\n").length;
    return [{ kind: "message" as const, line, start: index, end: index + raw.length, text }];
  });
}
