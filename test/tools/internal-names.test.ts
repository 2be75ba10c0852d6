import assert from "node:assert/strict";
import { test } from "node:test";
import { shortNames } from "../../tools/release/internal-names.js";

test("the most frequent names are shortened first, except those used by an export, declaration, string or host", () => {
  const code = `
    class Box { rarely = 1; #own = 2; get often() { return this.often + this.often; } declared() {} }
    const { often, at } = new Box(), key = "quoted", passed = { passed }, text = \`\${key} in text\`;
    box.quoted = box.text = box.hasOwn = box.windowsHide = box.lastIndex = { computed: 1, ["computed"]: 2, a: 3 };
    export { passed };`;
  const declarations = ["/** rarely */ interface Box { declared(): void; b: 1 }"];
  const names = shortNames([code], declarations);
  assert.deepEqual([...names.keys()], ["often", "rarely"]);
  const [often, rarely] = [...names.values()];
  for (const short of [often, rarely]) assert.match(short!, /^[c-zA-Z]$/);
  assert.notEqual(often, rarely);
});
