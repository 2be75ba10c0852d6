import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { marked, type Token, type Tokens } from "marked";
import { fromRoot } from "./paths.js";

/** A documentation page. */
export interface MarkdownPage {
  /** Path relative to the project root or to the set of pages. */
  readonly path: string;
  readonly text: string;
  /** The fenced code blocks in order. */
  readonly blocks: readonly CodeBlock[];
  /** The code spans in running text. */
  readonly spans: readonly string[];
  readonly links: readonly string[];
  /** The anchors that links can refer to after `#`. */
  readonly anchors: ReadonlySet<string>;
}

export interface CodeBlock {
  readonly language: string;
  /** The file shown in the block, if its first line names one. */
  readonly file: string | undefined;
  readonly text: string;
}

const folders = [".", "protocols", "sessions"].flatMap((parent) =>
  readdirSync(fromRoot(parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => posix.join(parent, name)),
);

/**
 * Reads the pages meant for people: Markdown files in the root and in `docs/`, and each folder's
 * README.
 */
export function documentationPages(): readonly MarkdownPage[] {
  const paths = [
    ...readdirSync(fromRoot(".")).filter((name) => name.endsWith(".md")),
    ...readdirSync(fromRoot("docs"), { recursive: true, encoding: "utf8" })
      .map((path) => `docs/${path.replaceAll("\\", "/")}`)
      .filter((path) => path.endsWith(".md") && !/(^|\/)(node_modules|site)\//.test(path)),
    ...folders.map((name) => `${name}/README.md`).filter((path) => existsSync(fromRoot(path))),
  ];
  return paths.sort().map(readPage);
}

export function readPage(path: string): MarkdownPage {
  return parsePage(path, readFileSync(fromRoot(path), "utf8"));
}

export function parsePage(path: string, text: string): MarkdownPage {
  const blocks: CodeBlock[] = [];
  const spans: string[] = [];
  const links: string[] = [];
  const anchors = new Set<string>();
  void marked.walkTokens(marked.lexer(text), (token: Token) => {
    if (token.type === "code") {
      const [language = "", file] = ((token as Tokens.Code).lang ?? "").split(" ");
      blocks.push({ language, file, text: `${(token as Tokens.Code).text}\n` });
    } else if (token.type === "codespan") spans.push((token as Tokens.Codespan).text);
    else if (token.type === "link" || token.type === "image")
      links.push((token as Tokens.Link).href);
    else if (token.type === "heading") {
      const anchor = anchorOf((token as Tokens.Heading).text);
      let name = anchor;
      for (let number = 1; anchors.has(name); number++) name = `${anchor}-${number}`;
      anchors.add(name);
    }
  });
  return { path, text, blocks, spans, links, anchors };
}

/** Returns the anchor that GitHub creates for a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

/** Lists the broken links on pages. */
export function brokenLinks(pages: readonly MarkdownPage[]): readonly string[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return pages.flatMap(({ path, links }) =>
    links
      .filter((link) => {
        if (/^[a-z]+:/.test(link)) return false;
        const [target = "", anchor] = link.split("#");
        const file =
          target === "" ? path : posix.normalize(posix.join(posix.dirname(path), target));
        if (file.startsWith("..")) return true;
        const page = byPath.get(file);
        if (page === undefined && !existsSync(join(fromRoot("."), file))) return true;
        return anchor !== undefined && page?.anchors.has(anchor) !== true;
      })
      .map((link) => `${path}: ${link}`),
  );
}

export const pages = documentationPages();
export const commands = [
  "generate",
  "tap",
  "lint",
  "view",
  "stats",
  "export",
  "convert",
  "redact",
  "model",
  "diff",
];
export const commandLine = "docs/reference/cli.md";
