import { messageOf, type MessageSource } from "./page-messages.js";
import { numberText } from "./page-text.js";
import { isMessageKind, type Row, type SessionStore } from "./session-store.js";

/**
 * Maximum number of messages to copy from a session. If the session is longer, its first messages
 * and those around the selected one are copied.
 */
const maxCopied = 400;
const firstCopied = 40;
const copiedAfter = 60;

/** Returns a row's message as formatted JSON. */
export async function copyJson(
  store: SessionStore,
  source: MessageSource,
  row: Row,
): Promise<string> {
  const text = await messageOf(store, source, row);
  return JSON.stringify(JSON.parse(text ?? "null"), null, 2);
}

/** Returns a message's session as a recording. */
export async function copyLines(
  store: SessionStore,
  source: MessageSource,
  row: Row,
): Promise<string> {
  const { lines } = await sessionAround(store, source, row);
  return `${[store.head.recordingHead, ...lines].join("\n")}\n`;
}

/**
 * Returns a test for `node:test` that checks a message's session and expects the findings about
 * that message.
 */
export async function copyTest(
  store: SessionStore,
  source: MessageSource,
  row: Row,
): Promise<string> {
  const { lines, index } = await sessionAround(store, source, row);
  const { protocol, version, profile } = store.head;
  const found = store.findingsOf(row).map(({ rule, pointer }) => `${rule} ${pointer}`.trim());
  const title = `${row.kind} ${row.name}`.trim();
  const quoted = (text: string): string =>
    JSON.stringify(text).replaceAll(/[\u2028\u2029]/g, (each) =>
      each === "\u2028" ? "\\u2028" : "\\u2029",
    );
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { lint } from "wirewright";

/** The session of message ${numberText(row)}. */
const lines = [
${[store.head.recordingHead, ...lines].map((line) => `  ${quoted(line)},`).join("\n")}
];

test(${quoted(`the findings in ${title}`)}, async () => {
  const bytes = new TextEncoder().encode(lines.join("\\n"));
  const found = [];
  for await (const { rule, pointer, index } of lint(bytes, {
    protocol: ${quoted(`${protocol}@${version}`)},
    profile: ${quoted(profile)},
  }))
    if (index === ${index}) found.push(\`\${rule} \${pointer}\`.trim());
  assert.deepEqual(found, [${found.map(quoted).join(", ")}]);
});
`;
}

/**
 * Returns the lines of a recording around the selected message, and that message's number within
 * them.
 */
async function sessionAround(
  store: SessionStore,
  source: MessageSource,
  row: Row,
): Promise<{ readonly lines: readonly string[]; readonly index: number }> {
  const rows = [...store.rows].filter(({ session }) => session === row.session);
  const end = Math.min(rows.length, rows.indexOf(row) + 1 + copiedAfter);
  const begin = Math.max(firstCopied, end - (maxCopied - firstCopied));
  const chosen =
    rows.length <= maxCopied ? rows : [...rows.slice(0, firstCopied), ...rows.slice(begin, end)];
  const lines: string[] = [];
  let index = 0;
  for (const each of chosen) {
    if (!isMessageKind(each.kind)) continue;
    if (each.number <= row.number) index++;
    const { time, unknown } = each;
    const from = each.from === undefined ? undefined : store.head.roles[each.from];
    const text = await messageOf(store, source, each);
    const envelope = JSON.stringify({ kind: "message", time, from, unknown });
    lines.push(`${envelope.slice(0, -1)},"message":${text}}`);
  }
  return { lines, index };
}
