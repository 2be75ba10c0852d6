import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fromRoot } from "../../../test/support/paths.js";
import { fillStartPage } from "../start/start-page.js";
import { base, newestBase, repository } from "./addresses.js";
import { questions } from "./search-words.js";

/** A page of the site, created from a Markdown file in the repository or from data. */
export interface SitePage {
  /**
   * Path of the Markdown file relative to the root, such as `docs/guides/tap.md`. Absent if the
   * page is created from data.
   */
  readonly source?: string;
  /**
   * Address of the page relative to the site's base, without leading and trailing slashes. Empty
   * for the start page.
   */
  readonly address: string;
  readonly title: string;
  /** The first paragraph as plain text. */
  readonly description: string;
  /** The Markdown below the title, with links to other pages already rewritten. */
  readonly body: string;
  /** Whether the page takes up the whole width and hides the list of pages. Default: false. */
  readonly isWide?: boolean;
  /** The page's name in the sidebar. Default: the title. */
  readonly label?: string;
  /** The group in which the page is listed with the other pages of a protocol. */
  readonly group?: string;
}

const atRoot = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];
const startPage = "docs/site/start/index.md";

/** Reads all of the site's pages, in file order. */
export function readSitePages(): readonly SitePage[] {
  const docs = readdirSync(fromRoot("docs"), { recursive: true, encoding: "utf8" })
    .map((path) => `docs/${path.replaceAll("\\", "/")}`)
    .filter((path) => addressOf(path) !== undefined && !path.startsWith("docs/site/"));
  return [startPage, ...[...atRoot, ...docs].sort()].map((source) =>
    parseSitePage(source, readFileSync(fromRoot(source), "utf8")),
  );
}

/** Creates the page for a Markdown file: removes its title and rewrites its links. */
export function parseSitePage(source: string, text: string): SitePage {
  const [, title, rest] = /^# (.+)\n([^]*)$/.exec(text) ?? [];
  if (title === undefined || rest === undefined) {
    throw new Error(`${source}: the first line is not a heading "# …"`);
  }
  const [first = ""] = rest.trim().split("\n\n", 1);
  const body = rewriteLinks(source, rest.trimStart());
  return {
    source,
    address: addressOf(source)!,
    title: plainText(title),
    description: /^[\p{L}`["]/u.test(first) ? plainText(first) : "",
    body: source === startPage ? fillStartPage(body) : body,
    ...(source === startPage ? { isWide: true } : {}),
  };
}

/**
 * Returns the site address of a file in the repository, or undefined if the file is not a page.
 */
export function addressOf(path: string): string | undefined {
  if (path === startPage || path === "README.md") return "";
  if (atRoot.includes(path)) return path.replace(/\.md$/, "").toLowerCase();
  return /^docs\/(.+)(?<!README)\.md$/.exec(path)?.[1];
}

/** Returns a page as Markdown with frontmatter, in the form that Starlight reads. */
export function printSitePage(page: SitePage): string {
  const lines = [
    "---",
    `title: ${JSON.stringify(page.title)}`,
    ...(page.description === "" ? [] : [`description: ${JSON.stringify(page.description)}`]),
    `editUrl: ${page.source === undefined ? "false" : JSON.stringify(`${repository}/edit/main/${page.source}`)}`,
    ...(page.isWide === true ? ["template: splash"] : []),
    "---",
    "",
  ];
  const answered = questions[page.address];
  const words =
    answered === undefined ? "" : `\n<p hidden data-pagefind-weight="5">${answered}</p>\n`;
  return `${lines.join("\n")}\n${page.body}${words}`;
}

/** Returns a page as plain Markdown without pictures, for use by programs. */
export function printPlainPage({ title, source, body }: SitePage): string {
  const from = source === undefined ? "" : `Source: ${repository}/blob/main/${source}\n\n`;
  return `# ${title}\n\n${from}${body.replaceAll(/<svg[^\n]*<\/svg>\n\n/g, "")}`;
}

/** Returns the index of all pages for language models: https://llmstxt.org. */
export function printIndex(pages: readonly SitePage[]): string {
  const [start, ...others] = pages;
  const entries = others.map(({ address, title, description }) => {
    const about = description === "" ? "" : `: ${description}`;
    return `- [${title}](${base}/${address}.md)${about}\n`;
  });
  return `# wirewright\n\n> ${start!.description}\n\n## Pages\n\n${entries.join("")}`;
}

/**
 * Rewrites links to pages as addresses on the site, and links to other files as links to the
 * repository. Leaves code unchanged.
 */
function rewriteLinks(source: string, text: string): string {
  return text.replace(
    /^(`{3,})[^]*?^\1|`[^`\n]*`|(!?\[[^\]]*\]\()([^)\s]+)\)/gm,
    (whole, _fence, start?: string, target?: string) =>
      start === undefined || target === undefined
        ? whole
        : `${start}${rewriteTarget(source, target, start.startsWith("!"))})`,
  );
}

function rewriteTarget(source: string, target: string, isImage: boolean): string {
  if (target.startsWith(`${newestBase}/`)) return base + target.slice(newestBase.length);
  if (/^(\w+:|#|\/)/.test(target)) return target;
  const [path = "", anchor] = target.split("#");
  const file = posix.normalize(posix.join(posix.dirname(source), path));
  if (!existsSync(fromRoot(file))) throw new Error(`${source}: the link to ${target} is broken`);
  if (isImage) return imageAddress(file);
  const address = addressOf(file);
  const fragment = anchor === undefined ? "" : `#${anchor}`;
  if (address === undefined) return `${repository}/blob/main/${file}${fragment}`;
  return `${base}/${address === "" ? "" : `${address}/`}${fragment}`;
}

/** Returns the address of an image. Images in `docs/` keep their paths relative to the base. */
function imageAddress(file: string): string {
  return `${base}/${file.replace(/^docs\//, "")}`;
}

function plainText(markdown: string): string {
  return markdown
    .replaceAll(/<!--[^]*?-->/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
