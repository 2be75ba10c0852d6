import assert from "node:assert/strict";

/**
 * Ranges of characters that are invisible or control the output: control characters, separators,
 * lone surrogates, direction marks and zero-width characters.
 */
const unseenRanges: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0d],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

/** Lists every character that must be escaped in output. */
export function* unseenCharacters(): Generator<string> {
  for (const [from, to] of unseenRanges)
    for (let code = from; code <= to; code++) yield String.fromCodePoint(code);
}

function isUnseen(character: string): boolean {
  const code = character.codePointAt(0)!;
  return unseenRanges.some(([from, to]) => code >= from && code <= to);
}

/** Text from an attacker that imitates the tool in every kind of output. */
export const forged = [
  "::error file=a,line=1::forged by a peer",
  "::stop-commands::x",
  "##[error]forged",
  "a ##[set-env name=A;]b ##vso[task.complete]c ##teamcity[x]",
  "\r::warning::forged\u0085::warning::forged\u2028::warning::forged\u2029::warning::forged",
  "\u001b[31m\u001b]0;title\u0007\u009b2J\u0000\u0008\u007f\u00ad\u061c\u200b\u200e\u202e\u2066\u2069\ufeff",
  "\ud800 \udc00 \u{e0041}\u{e007f}\u115f\u180e%0A::error::x%0D%3A%2C%25,a=b",
  "</script></style></title></pre></code><img src=x onerror=alert(1)><a href='javascript:x'>\" onload=\"x",
  "]]><!-- --> &lt; &#60; &amp;",
  "`code` ``two`` ```three | cell | [link](http://a.example) ![image](http://b.example/i.png) [^1] <http://e.example>",
  "@everyone someone@f.example https://c.example www.d.example x#12 #34 **bold** __bold__ ~~gone~~ $x$",
  "*/ globalThis.PWNED = true; /* @deprecated ${globalThis.PWNED = true} `${globalThis.PWNED = true}` \\",
  "@deprecated forged",
  " @internal forged",
  "",
].join("\n");

/** Fails if the text contains characters that control a terminal, an editor or a build service. */
export function assertShown(text: string, what: string): void {
  for (const character of text)
    if (character !== "\n" && isUnseen(character))
      assert.fail(
        `${what} holds U+${character.codePointAt(0)!.toString(16)}: ${around(text, character)}`,
      );
  const marked = /##[a-z]*\[/i.exec(text);
  if (marked !== null) assert.fail(`${what} holds a command: ${around(text, marked[0])}`);
}

/** Fails like `assertShown`, and also if a line is a workflow command. */
export function assertPlain(text: string, what: string): void {
  assertShown(text, what);
  const line = text.split("\n").find((each) => each.trimStart().startsWith("::"));
  if (line !== undefined) assert.fail(`${what} has a workflow command: ${line.slice(0, 100)}`);
}

function around(text: string, found: string): string {
  const place = text.indexOf(found);
  return JSON.stringify(text.slice(Math.max(0, place - 60), place + 60));
}

export interface PoisonOptions {
  /** Strings that are written only by the tool and therefore not changed. */
  readonly words: ReadonlySet<string>;
  /** Names of properties whose values are objects with untrusted keys. */
  readonly foreignKeys: ReadonlySet<string>;
}

/** Prepends the malicious text to every string in plain data. */
export function poison<Data>(data: Data, text: string, options: PoisonOptions): Data {
  const { words, foreignKeys } = options;
  const poisoned = (value: unknown, isForeign: boolean): unknown => {
    if (typeof value === "string") return words.has(value) ? value : `${text}${value}`;
    if (Array.isArray(value)) return value.map((each) => poisoned(each, isForeign));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        isForeign ? `${text}${key}` : key,
        poisoned(each, isForeign || foreignKeys.has(key)),
      ]),
    );
  };
  return poisoned(data, false) as Data;
}

/** Lists the tags and attributes on a page, without their contents. */
function tagsOf(page: string): readonly string[] {
  return page.replaceAll(/"[^"]*"/g, '""').match(/<[^>]*>?/g) ?? [];
}

export function assertSamePage(page: string, withText: (text: string) => string): void {
  assertPlain(page, "html");
  assert.deepEqual(tagsOf(page), tagsOf(withText("x")));
}

/** Parses annotations the way the GitHub Actions runner does, and asserts how many there are. */
export function assertAnnotations(text: string, count: number): void {
  assertShown(text, "github");
  const lines = text.split("\n");
  assert.equal(lines.length, count);
  for (const line of lines) {
    const [, command, properties, data] = /^::([a-z]+) ([^:]*)::(.*)$/.exec(line) ?? [];
    assert.match(command ?? "", /^(error|warning|notice)$/, line);
    const names = properties!.split(",").map((each) => each.split("=")[0]);
    assert.deepEqual(
      names.filter((name) => !["file", "line", "col", "title"].includes(name!)),
      [],
      line,
    );
    const unescaped = data!.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%");
    assertShown(unescaped, "an annotation");
    assert.doesNotMatch(unescaped, /\n/);
  }
}
