import assert from "node:assert/strict";
import { assertPlain } from "./forged-text.js";

/** Tags and attributes of a page, without what they hold. */
export function tagsOf(page: string): readonly string[] {
  return page.replaceAll(/"[^"]*"/g, '""').match(/<[^>]*>?/g) ?? [];
}

export function assertSamePage(page: string, withText: (text: string) => string): void {
  assertPlain(page, "html");
  assert.deepEqual(tagsOf(page), tagsOf(withText("x")));
}
