import assert from "node:assert/strict";
import { test } from "node:test";
import {
  joinMarkup,
  markup,
  markupLines,
  trustedMarkup,
  xml,
} from "../../../generator/print/html-text.js";

const hostile = `<b title="x" id='y'>&\u202e`;
const escaped = "&lt;b title=&quot;x&quot; id=&#39;y&#39;&gt;&amp;\\u202e";

test("values in a template are escaped unless they are themselves template results", () => {
  const parts = [hostile, 7, markup`<i>${hostile}</i>`, [hostile, markup`<br>`]];
  assert.equal(
    markup`<p class="${hostile}">${parts}</p>`.toString(),
    `<p class="${escaped}">${escaped}7<i>${escaped}</i>${escaped}<br></p>`,
  );
  assert.equal(joinMarkup([hostile, markup`<br>`], " ").toString(), `${escaped} <br>`);
  assert.equal(markupLines(`a\n${hostile}`).toString(), `a\n${escaped}`);
  assert.equal(trustedMarkup("a>b").toString(), "a>b");
});

test("a forged template result is refused", () => {
  const forged = { toString: () => hostile } as never;
  assert.throws(() => markup`${forged}`, TypeError);
  assert.equal(markup`\n${"\\n"}`.toString(), "\n\\n");
});

test("text for XML omits characters that XML cannot represent", () => {
  assert.equal(xml(`${hostile}\ufffe`), `${escaped}\ufffd`);
});
