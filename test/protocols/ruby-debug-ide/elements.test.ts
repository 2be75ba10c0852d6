import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  createDecoder,
  createEncoder,
  notations,
  type DebuggerToFrontend,
  type SpellingName,
} from "@wirewright/ruby-debug-ide";
import { shared, skipWithout } from "../../support/paths.js";
import { lineOf } from "../../support/command-lines.js";
import { textOf } from "../../support/framed-text.js";

/** Decodes all messages in a text from the debugger. */
function elementsOf(spelled: string, spelling?: SpellingName): readonly DebuggerToFrontend[] {
  const found: DebuggerToFrontend[] = [];
  const decoder = createDecoder({
    from: "debugger",
    ...(spelling === undefined ? {} : { spelling }),
    onMessage: (message) => {
      if (message.status === "malformed") assert.fail(message.reason);
      found.push(message.message as DebuggerToFrontend);
    },
    onFault: (error) => assert.fail(error.message),
  });
  decoder.push(Buffer.from(spelled));
  decoder.end();
  return found;
}

test("elements are written exactly as the debugger writes them", () => {
  const encoder = createEncoder({ from: "debugger" });
  for (const spelled of [
    '<thread id="2" status="run" pid="2960" current="yes"/>',
    '<threads><thread id="1" status="sleep" pid="3432" /></threads>',
    '<thread id="1" status="run"/>',
    `<frames><frame no="1" file="/a" line="6" current='true' /><frame no="2" file="/b" line="106" /></frames>`,
    '<variables><variable name="e" kind="local"/></variables>',
    '<variables><variable name="i"  kind="local" value="10" type="Integer" hasChildren="false" objectId="+0x15"></variable></variables>',
    '<variables type="hashItem"></variables>',
    "<message debug='true'>a &amp; b</message>",
    '<expressionInfo incomplete="true" prompt="&gt;" indent="2"></expressionInfo>',
    '<eval expression="1" value=""\\" />"" />',
  ])
    assert.equal(
      elementsOf(spelled)
        .map((each) => textOf(encoder.encode(each)))
        .join(""),
      spelled,
    );
  assert.throws(() => encoder.encode({ element: "breakpointAdded", body: { no: 1 } } as never), {
    code: "ERR_ENCODE_FIELD",
    pointer: "/body/location",
  });
  assert.throws(() => encoder.encode({ element: "#text", body: { text: "no line end" } }), {
    code: "ERR_ENCODE_LINE",
    pointer: "/body/text",
  });
});

test("a connection writes its own dialect, and reads every dialect", () => {
  const rubymine =
    '<variables><variable name="s"  kind="local"  type="String" hasChildren="true" objectId="+0x1"><value><![CDATA[x &lt; y]]></value></variable></variables>';
  const plain =
    '<variables><variable name="s"  kind="local" value="x &lt; y" type="String" hasChildren="true" objectId="+0x1"></variable></variables>';
  const [message] = elementsOf(rubymine);
  assert.deepEqual(elementsOf(plain), [message]);
  assert.deepEqual(elementsOf(plain, "rubymine"), [message]);
  const write = (spelling?: SpellingName): string =>
    textOf(createEncoder({ from: "debugger", ...(spelling && { spelling }) }).encode(message!));
  assert.equal(write("rubymine"), rubymine);
  assert.equal(write(), plain);

  const evaluation: DebuggerToFrontend = {
    element: "eval",
    body: { expression: "'", value: '"<a>"' },
  };
  const wellFormed = createEncoder({ from: "debugger", spelling: "well-formed" });
  assert.equal(
    textOf(wellFormed.encode(evaluation)),
    '<eval expression="&#39;" value="&quot;&lt;a&gt;&quot;"/>',
  );
  assert.deepEqual(elementsOf(textOf(wellFormed.encode(evaluation)), "well-formed"), [evaluation]);
});

test(
  "every example in the first specification can be read and written",
  { skip: skipWithout("streams/ruby-debug-ide/seed-examples") },
  () => {
    const file = shared("streams/ruby-debug-ide/seed-examples/examples.json")!;
    type Example = { readonly C?: string; readonly A?: string; readonly event?: string };
    const encoder = createEncoder({ from: "debugger" });
    let count = 0;
    for (const { C, A, event } of JSON.parse(readFileSync(file, "utf8")) as Example[]) {
      // One of the examples contains additional commands and answers.
      const [answer, ...next] = (A ?? event!).split(/\s+(?=C: )/);
      const more = next.map((each) => /C: (.*)\nA: ([^]*)/.exec(each)!.slice(1));
      for (const [command, spelled] of [[C, answer], ...more]) {
        count++;
        if (command !== undefined) {
          const [read] = notations.frontend.readLine(command);
          assert.deepEqual(notations.frontend.readLine(lineOf(read!)), [read]);
        }
        const elements = elementsOf(spelled!);
        assert.equal(elements.length, 1, spelled);
        assert.deepEqual(elementsOf(textOf(encoder.encode(elements[0]!))), elements);
      }
    }
    assert.equal(count, 16);
  },
);
