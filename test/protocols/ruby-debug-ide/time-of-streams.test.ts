import assert from "node:assert/strict";
import { test } from "node:test";
import { createDecoder } from "@wirewright/ruby-debug-ide";
import { createClient } from "@wirewright/ruby-debug-ide/connection";

/**
 * Measures a call's processor time in milliseconds. Unlike elapsed time, it does not depend on
 * other programs.
 */
function timeOf(act: () => void): number {
  const before = process.cpuUsage();
  act();
  return process.cpuUsage(before).user / 1_000;
}

function decode(from: "debugger" | "frontend", bytes: Uint8Array, step: number): void {
  const decoder = createDecoder({
    from,
    onMessage: () => undefined,
    onFault: ({ code, cause }) => assert.notEqual(code, "ERR_HANDLER", String(cause)),
  });
  for (let at = 0; at < bytes.length; at += step) decoder.push(bytes.subarray(at, at + step));
  decoder.end();
}

/** The size of streams that might make a decoder read the same bytes repeatedly. */
const size = 200_000;

const fill = (part: string, bytes = size): string => part.repeat(Math.ceil(bytes / part.length));

const slowStreams: Readonly<Record<"debugger" | "frontend", readonly string[]>> = {
  debugger: [
    '<variables><variable e="" a="" d=""><s</variable></variables>',
    `${fill("<a><![CDATA[\n")}]]></b>`,
    fill("<a><![CDATA[<message></message>"),
    fill("<a><![CDATA[<b/>"),
    fill("<a>"),
    fill("<a b='"),
    fill("<a>\n<"),
    fill('<exception file="\n'),
    `<exception file="${fill("\n")}<`,
    `text <exception file="${fill("x\n")}<`,
    fill("<suspended "),
    fill('<suspended file="'),
    fill("<variables>"),
    fill("<variables><variable "),
    `<variables>${fill("<a>")}`,
    `<variables>${fill('<a b="<')}</variables>`,
    `<eval expression="1" value="${fill('" ')}`,
    `<eval expression="1" value="${fill("\\")}" />`,
    `<eval expression="1" value="${fill("<suspended file='")}`,
    `<error>${fill("&")}</error>`,
    `<error>${fill("&#1111111")}</error>`,
    `<error>${fill("&lt;")}</error>`,
    `<error>${fill("</")}</error>`,
    `<error>${fill("</error ")}`,
    `<error><![CDATA[${fill("]]>")}]]></error>`,
    `<error><![CDATA[${fill("]]></")}`,
    `<error>${fill("<![CDATA[")}</error>`,
    `<message ${fill('a="" ')}>`,
    `<message${fill(" ")}`,
    `<frames>${fill("<frame no='1' file='' line='1'/>")}</frames>`,
    fill("x\n"),
    fill(" "),
    fill("\n"),
    fill("#<A:0x0 @b=<c>\n"),
  ],
  frontend: [
    `break :${fill(" ")}:x`,
    `break ${fill(": ")}`,
    `break ${fill(" if ")}`,
    fill("v\n", 50_000),
    fill("th \n", 50_000),
    fill(";"),
    fill("w;"),
    fill("\\;"),
    fill("w\\;"),
    `p ${fill("\\")}x`,
    `p ${fill("\\n")}`,
    `p a${fill("\\\\n")}`,
    `delete ${fill("1 ")}x`,
    `delete ${fill("1")}`,
    `delete ${fill("+")}`,
    `condition 1${fill(" ")}`,
    `jump ${fill("x")}`,
    fill(" "),
    fill("a"),
  ],
};

for (const [from, streams] of Object.entries(slowStreams) as ["debugger" | "frontend", string[]][])
  for (const stream of streams)
    test(`decoding takes linear time, whole and byte by byte: ${from} ${JSON.stringify(stream.slice(0, 60))}`, () => {
      const bytes = Buffer.from(stream);
      for (const step of [bytes.length, 1])
        assert.ok(
          timeOf(() => decode(from, bytes, step)) < 4_000,
          `${bytes.length} bytes in steps of ${step}`,
        );
    });

test("text that answers a command is collected in linear time", async () => {
  const client = createClient({ write: () => undefined, textSilenceMs: 1 });
  const answer = client.send("pp", { expression: "a" });
  const lines = Buffer.from("x\n".repeat(size));
  assert.ok(timeOf(() => client.push(lines)) < 6_000);
  assert.equal((await answer).body.text, lines.toString());
  await client.close();
});

test("unexpected messages take the same time no matter how many commands are waiting", async () => {
  const client = createClient({ write: () => undefined });
  const waiting = Array.from({ length: 5_000 }, () => client.send("delete", { breakpoints: [1] }));
  const settled = Promise.allSettled([...waiting, client.sendLine("foo")]);
  const strays = Buffer.from(
    `${"<error>x</error>".repeat(5_000)}${"<message>Unknown command: bar</message>".repeat(5_000)}`,
  );
  assert.ok(timeOf(() => client.push(strays)) < 4_000);
  await client.close();
  await settled;
});
