/** Arbitrary inputs that are close to valid ones: seeds with edits. */
import fc from "fast-check";

/** Bytes or text to start from, and strings that mean something to the code under test. */
export interface Seeds {
  readonly seeds: readonly (string | Uint8Array)[];
  readonly tokens: readonly string[];
  /** Longest input in bytes. Default: 600. */
  readonly maxLength?: number;
}

/** Creates bytes: seeds and tokens in a row, some of them edited. */
export function mutatedBytes({
  seeds,
  tokens,
  maxLength = 600,
}: Seeds): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const token = fc.constantFrom(...tokens).map((text) => Buffer.from(text));
  const piece = fc.oneof(
    { weight: 3, arbitrary: token },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 4 }) },
  );
  const edit = fc.record({
    position: fc.nat(0xffff),
    removed: fc.oneof(fc.constant(0), fc.nat(8), fc.nat(64)),
    inserted: fc.array(piece, { maxLength: 2 }),
  });
  const edited = fc
    .tuple(fc.constantFrom(...seeds), fc.array(edit, { maxLength: 5 }))
    .map(([seed, edits]) =>
      edits.reduce((bytes, { position, removed, inserted }) => {
        const start = position % (bytes.length + 1);
        return Buffer.concat([
          bytes.subarray(0, start),
          ...inserted,
          bytes.subarray(start + removed),
        ]);
      }, Buffer.from(seed)),
    );
  const parts = fc.array(fc.oneof(edited, piece), { minLength: 1, maxLength: 4 });
  const soup = fc.array(piece, { maxLength: 25 });
  return fc
    .oneof({ weight: 3, arbitrary: parts }, { weight: 1, arbitrary: soup })
    .map((pieces) => new Uint8Array(Buffer.concat(pieces).subarray(0, maxLength)));
}

/** Creates text in the same way, as a decoder would read it. */
export function mutatedText(seeds: Seeds): fc.Arbitrary<string> {
  return mutatedBytes(seeds).map((bytes) => Buffer.from(bytes).toString());
}

export interface JsonSeeds {
  readonly seeds: readonly unknown[];
  /** Names and strings that mean something to the code under test. */
  readonly tokens: readonly string[];
  /** Whole values that do. */
  readonly values?: readonly unknown[];
}

/** Creates JSON values: seeds in which members were replaced, removed, renamed, added or swapped. */
export function mutatedJson({ seeds, tokens, values = [] }: JsonSeeds): fc.Arbitrary<unknown> {
  const name = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...tokens) },
    { weight: 1, arbitrary: fc.constantFrom("__proto__", "constructor", "", "a") },
  );
  const value = fc.oneof(
    { weight: 2, arbitrary: name as fc.Arbitrary<unknown> },
    {
      weight: 2,
      arbitrary: fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e21, "", [], {}),
    },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
    ...(values.length === 0 ? [] : [{ weight: 4, arbitrary: fc.constantFrom(...values) }]),
  );
  const edit = fc.record({
    /** Which member of the value, in the order in which they are written. */
    member: fc.nat(0xffff),
    other: fc.nat(0xffff),
    kind: fc.constantFrom("replace", "remove", "rename", "add", "copy"),
    name,
    value,
  });
  return fc
    .tuple(fc.constantFrom(...seeds), fc.array(edit, { maxLength: 6 }))
    .map(([seed, edits]) => {
      const root = { value: structuredClone(seed) };
      for (const { member, other, kind, name, value } of edits) {
        const members = membersIn(root);
        const { holder, key } = members[member % members.length]!;
        const copied = members[other % members.length]!;
        if (kind === "replace") holder[key] = structuredClone(value);
        else if (kind === "copy") holder[key] = structuredClone(copied.holder[copied.key]);
        else if (holder === (root as unknown)) continue;
        else if (Array.isArray(holder)) {
          if (kind === "remove") holder.splice(Number(key), 1);
          else holder.splice(Number(key), 0, structuredClone(value));
        } else if (kind === "add") setMember(holder, name, structuredClone(value));
        else {
          const moved = holder[key];
          delete holder[key];
          if (kind === "rename") setMember(holder, name, moved);
        }
      }
      return root.value;
    });
}

interface Member {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function membersIn(holder: object): readonly Member[] {
  return Object.entries(holder).flatMap(([key, value]: [string, unknown]) => [
    { holder: holder as Member["holder"], key },
    ...(typeof value === "object" && value !== null ? membersIn(value) : []),
  ]);
}

/** Sets a member of any name, such as `__proto__`, as `JSON.parse` does. */
function setMember(holder: Member["holder"], name: string, value: unknown): void {
  Object.defineProperty(holder, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Where to split an input of any length: nowhere, after each byte, or at some places. */
export type Split = "whole" | "bytes" | readonly number[];

export const split: fc.Arbitrary<Split> = fc.oneof(
  fc.constant("whole" as const),
  fc.constant("bytes" as const),
  fc.array(fc.nat(0xffff), { minLength: 1, maxLength: 6 }),
);

/** Returns the offsets at which a split cuts an input of a given length. */
export function cutsOf(split: Split, length: number): readonly number[] {
  if (split === "whole" || length === 0) return [];
  if (split === "bytes") return Array.from({ length: length - 1 }, (_, index) => index + 1);
  return [...new Set(split.map((place) => place % length))]
    .filter((cut) => cut > 0)
    .sort((one, other) => one - other);
}

/** Splits bytes into chunks. */
export function chunksOf(bytes: Uint8Array<ArrayBuffer>, split: Split): Uint8Array<ArrayBuffer>[] {
  const ends = [...cutsOf(split, bytes.length), bytes.length];
  return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
}
