/** `peek` and `renumber`, compared with `JSON.parse` and `JSON.stringify`. */
import assert from "node:assert/strict";
import fc from "fast-check";
import * as acp from "@wirewright/acp-breakpoints";
import * as dap from "@wirewright/dap";
import * as sqltools from "@wirewright/sqltools";
import type { Peeked } from "../../runtime/frames/peek.js";
import type { EnvelopeTable } from "../../runtime/protocol/protocol-description.js";
import { mutatedBytes } from "../support/mutated-inputs.js";
import { property } from "../support/property.js";
import { sampleMessages } from "../support/sample-messages.js";

type Fields = Readonly<Record<string, unknown>>;

const packages = { dap, "acp-breakpoints": acp, sqltools };
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

for (const [name, { peek, protocol }] of Object.entries(packages))
  property(
    `peek in ${name}`,
    fc.record({
      bytes: mutatedBytes({
        seeds: sampleMessages(name).map((message) => JSON.stringify(message)),
        tokens:
          '"seq"|"request_seq"|"type"|"command"|"event"|"success"|"id"|"method"|"s\\u0065q"|"\\u0069d"|"t\\u0079pe"|"\\/"|\\ud83d|"response"|"error"|"request"|"result"|{"seq":1}|[[[[|]]]]|"a":{"seq":2}|\\\\|\\"|,|:| |\n|\t|\r|\f|1e1|-0|-1|1.0|0x1|true|null|\ufeff'.split(
            "|",
          ),
      }),
      id: fc.constantFrom(0, 1, 7, 10, 255, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1),
    }),
    ({ bytes, id }) => {
      const peeked = peek(bytes);
      const renumbered = peek.renumber(bytes, id);
      let message: unknown;
      try {
        message = JSON.parse(decoder.decode(bytes));
      } catch {
        return;
      }
      const isObject = typeof message === "object" && message !== null && !Array.isArray(message);
      const fields = isObject ? (message as Fields) : undefined;
      const { envelope } = protocol as { readonly envelope: EnvelopeTable };
      assert.deepEqual(peeked, fields && expectedOf(fields, envelope));
      const hasId = fields !== undefined && Object.hasOwn(fields, envelope.id);
      // As text, because the order of the members counts, too.
      assert.equal(
        renumbered && bodyOf(renumbered),
        hasId ? JSON.stringify(renumberedOf(fields, envelope.id, id)) : undefined,
      );
    },
    300,
  );

/** Replaces an own field of any name, such as `__proto__`. */
function renumberedOf(fields: Fields, name: string, id: number): object {
  const copy = JSON.parse(JSON.stringify(fields)) as object;
  return Object.defineProperty(copy, name, { value: id, enumerable: true });
}

/** Returns the envelope that `peek` should return. */
function expectedOf(fields: Fields, envelope: EnvelopeTable): Peeked {
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

/** Returns a frame's body, written as `JSON.stringify` writes it. */
function bodyOf(frame: Uint8Array): string {
  const text = decoder.decode(frame);
  const end = text.indexOf("\r\n\r\n") + 4;
  assert.equal(text.slice(0, end), `Content-Length: ${frame.length - end}\r\n\r\n`);
  return JSON.stringify(JSON.parse(text.slice(end)));
}
