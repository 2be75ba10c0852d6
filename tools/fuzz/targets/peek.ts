import { parseJson } from "../mutate-json.js";
import { OracleFailure, type Target } from "../target.js";
import type { EnvelopeTable } from "../../../runtime/protocol/protocol-description.js";
import type { Peek, Peeked } from "../../../runtime/frames/peek.js";
import { sampleMessages } from "./sample-messages.js";

type Fields = Readonly<Record<string, unknown>>;

/** Packages that use JSON messages, with different envelopes. */
const packages = ["dap", "acp-breakpoints", "sqltools"];

const ids = [0, 1, 7, 10, 255, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1];

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Compares `peek` with `JSON.parse` and `JSON.stringify`. */
export const peek: Target = {
  name: "peek",
  about: "peek and renumber, compared with JSON.parse and JSON.stringify",
  format: "mixed",
  weight: 2,
  maxLength: 600,
  work: { base: 20_000, perByte: 1_000 },
  tokens: [
    '"seq"',
    '"request_seq"',
    '"type"',
    '"command"',
    '"event"',
    '"success"',
    '"id"',
    '"method"',
    '"s\\u0065q"',
    '"\\u0069d"',
    '"t\\u0079pe"',
    '"\\/"',
    "\\ud83d",
    '"response"',
    '"error"',
    '"request"',
    '"result"',
    '{"seq":1}',
    "[[[[",
    "]]]]",
    '"a":{"seq":2}',
    "\\\\",
    '\\"',
    ",",
    ":",
    " ",
    "\n",
    "\t",
    "\r",
    "\f",
    "1e1",
    "-0",
    "-1",
    "1.0",
    "0x1",
    "true",
    "null",
    "\ufeff",
  ],
  seeds: () => packages.flatMap(sampleMessages).map((each) => JSON.stringify(each)),
  async open(modules) {
    const readers = await Promise.all(
      packages.map(async (name) => {
        const { peek } = await modules<{ peek: Peek }>(`generated/${name}/codec.js`);
        const { protocol } = await modules<{ protocol: { envelope: EnvelopeTable } }>(
          `generated/${name}/protocol.js`,
        );
        return { peek, envelope: protocol.envelope };
      }),
    );
    return {
      check(input, random) {
        const text = decoder.decode(input);
        let parsed: unknown;
        let isJson = true;
        try {
          parsed = JSON.parse(text);
        } catch {
          isJson = false;
        }
        for (const { peek, envelope } of readers) {
          const seen = peek(input);
          const id = random.pick(ids);
          const renumbered = peek.renumber(input, id);
          if (!isJson) continue;
          const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
          const fields = isObject ? (parsed as Fields) : undefined;
          assertSame(seen, fields && expected(fields, envelope), "peek");
          const hasId = fields !== undefined && Object.hasOwn(fields, envelope.id);
          assertSame(
            renumbered && bodyOf(renumbered),
            hasId ? JSON.stringify({ ...fields, ...own(envelope.id, id) }) : undefined,
            `renumber to ${id}`,
          );
        }
      },
    };
  },
};

/** Returns the envelope that `peek` should return, derived with `JSON.parse`. */
function expected(fields: Fields, envelope: EnvelopeTable): Peeked {
  const { request, event, response } = envelope;
  const has = (name: string | undefined): boolean =>
    name !== undefined && Object.hasOwn(fields, name);
  const get = (name: string | undefined): unknown =>
    name !== undefined && has(name) ? fields[name] : undefined;
  const arms = [
    ["request", request],
    ["event", event],
    ["response", response],
  ] as const;
  const arm = arms.find(([, { when }]) =>
    Object.entries(when).every(([name, test]) =>
      typeof test === "string" ? get(name) === test : has(name) === test,
    ),
  );
  const isResponse = arm?.[0] === "response";
  const idOf = (value: unknown): number | string | undefined =>
    typeof value === "number" || typeof value === "string" ? value : undefined;
  const name = get(arm?.[1].name);
  const success = response.success === undefined ? !has(response.error) : get(response.success);
  return {
    kind: arm?.[0],
    id: idOf(get(envelope.id)),
    name: typeof name === "string" ? name : undefined,
    replyTo: isResponse ? idOf(get(envelope.replyTo)) : undefined,
    success: isResponse && typeof success === "boolean" ? success : undefined,
  };
}

/** Creates an object with one own field, whatever its name. */
function own(name: string, value: unknown): object {
  return parseJson(new Uint8Array(Buffer.from(JSON.stringify({ [name]: value })))) as object;
}

/** A frame's body as JSON. */
function bodyOf(frame: Uint8Array): string {
  const text = decoder.decode(frame);
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  const length = Buffer.byteLength(head) + 4;
  if (head !== `Content-Length: ${frame.length - length}`) return `a wrong header ${head}`;
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return `no JSON: ${body}`;
  }
}

function assertSame(seen: unknown, expected: unknown, what: string): void {
  const [a, b] = [shown(seen), shown(expected)];
  if (a !== b) throw new OracleFailure("parse", `${what}: ${a}\ninstead of ${b}`, what.slice(0, 4));
}

function shown(value: unknown): string {
  return typeof value === "string"
    ? value
    : (JSON.stringify(value, (_, each: unknown) => (Object.is(each, -0) ? "-0" : each)) ??
        "nothing");
}
