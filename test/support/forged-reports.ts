import assert from "node:assert/strict";
import { assertPlain, assertShown } from "./forged-text.js";

/** Lists the tags and attributes on a page, without their contents. */
export function tagsOf(page: string): readonly string[] {
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
