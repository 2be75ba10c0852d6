import { readScalar } from "../json/json-scalar.js";
import type { EnvelopeTable } from "../protocol/protocol-description.js";
import { nameEncoder, scanObject } from "./scan-fields.js";
import { type AnyIds, createRenumber, createRenumberFields } from "./renumber.js";

/**
 * A message's envelope, without the payload. Fields that are absent or of the wrong type are
 * undefined.
 */
export interface Peeked {
  readonly kind: "request" | "event" | "response" | undefined;
  readonly id: number | string | undefined;
  readonly name: string | undefined;
  readonly replyTo: number | string | undefined;
  readonly success: boolean | undefined;
}

/**
 * Reads envelopes directly from body bytes, for programs that forward messages without parsing
 * them.
 *
 * The result is exact for any JSON object: the last of any duplicate keys wins, escapes in keys are
 * resolved, and a byte order mark is skipped. The remaining bytes are not checked, so the reader
 * may return a result even for a body that `JSON.parse` rejects. Never throws.
 */
export interface Peek<IdField extends string = string> {
  /**
   * Returns the envelope, with its fields as `JSON.parse` would read them, or undefined if the body
   * is not a JSON object.
   */
  (body: Uint8Array): Peeked | undefined;
  /**
   * Encodes a frame with a different id, leaving all other bytes unchanged. Returns undefined if
   * the body has no id.
   *
   * @param id A non-negative whole number.
   * @throws RangeError for any other id.
   */
  renumber(body: Uint8Array, id: number): Uint8Array | undefined;
  /**
   * Replaces several ids at once, by field, as in `{ seq: 5, request_seq: 3 }`. Returns undefined
   * if the body lacks one of these fields.
   *
   * @throws RangeError for an id that is not a non-negative whole number; TypeError for a field
   * that does not hold an id.
   */
  renumber(body: Uint8Array, ids: { readonly [Field in IdField]?: number }): Uint8Array | undefined;
}

/** Creates an envelope reader for a protocol. */
export function createPeek(envelope: EnvelopeTable): Peek {
  const { request, event, response } = envelope;
  const names = [
    ...new Set([
      envelope.id,
      envelope.replyTo,
      request.name,
      event.name,
      ...[request, event, response].flatMap((arm) => Object.keys(arm.when)),
      ...(response.name === undefined ? [] : [response.name]),
      response.success ?? response.error,
    ]),
  ];
  const keys = names.map((name) => nameEncoder.encode(name));
  const idIndex = names.indexOf(envelope.id);
  const places = new Int32Array(names.length * 2);

  const indexOf = (name: string | undefined): number =>
    name === undefined ? -1 : names.indexOf(name);
  const arms = (
    [
      ["request", request],
      ["event", event],
      ["response", response],
    ] as const
  ).map(([kind, arm]) => ({
    kind,
    name: indexOf(arm.name),
    tests: Object.entries(arm.when).map(([name, test]) => ({ index: indexOf(name), test })),
  }));
  const replyToIndex = indexOf(envelope.replyTo);
  const successIndex = indexOf(response.success);
  const errorIndex = indexOf(response.error);

  function peek(body: Uint8Array): Peeked | undefined {
    places.fill(-1);
    if (!scanObject(body, keys, places)) return undefined;
    const arm = arms.find(({ tests }) => tests.every((each) => fits(body, each)));
    const isResponse = arm?.kind === "response";
    const id = field(body, idIndex);
    const name = field(body, arm === undefined ? -1 : arm.name);
    const replyTo = isResponse ? field(body, replyToIndex) : undefined;
    const success = !isResponse
      ? undefined
      : successIndex < 0
        ? places[errorIndex * 2]! < 0
        : field(body, successIndex);
    return {
      kind: arm?.kind,
      id: typeof id === "number" || typeof id === "string" ? id : undefined,
      name: typeof name === "string" ? name : undefined,
      replyTo: typeof replyTo === "number" || typeof replyTo === "string" ? replyTo : undefined,
      success: typeof success === "boolean" ? success : undefined,
    };
  }

  function field(body: Uint8Array, index: number): unknown {
    return index < 0 ? undefined : readScalar(body, places[index * 2]!, places[index * 2 + 1]!);
  }

  function fits(
    body: Uint8Array,
    { index, test }: { readonly index: number; readonly test: string | boolean },
  ): boolean {
    return typeof test === "string"
      ? field(body, index) === test
      : places[index * 2]! >= 0 === test;
  }

  const renumberOne = createRenumber(envelope.id);
  const renumberSeveral = createRenumberFields([...new Set([envelope.id, envelope.replyTo])]);
  peek.renumber = (body: Uint8Array, ids: number | AnyIds): Uint8Array | undefined =>
    typeof ids === "object" && ids !== null ? renumberSeveral(body, ids) : renumberOne(body, ids);
  return peek;
}
