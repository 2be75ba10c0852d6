/** Bytes that a kept name takes at most, with its quotes and its colon. */
export const maxNameBytes = 56;

/** Names that are kept. They are kept for good, and a peer may invent any number. */
const maxNames = 1024;
const maxWords = 4096;

/** `"name":` of the names kept, each from the beginning of a word of eight bytes. */
export let nameWords: Float64Array = /* @__PURE__ */ new Float64Array(64);
let used = 0;

/** By name: the place of the first word, times 64, and the bytes. */
const cached = /* @__PURE__ */ new Map<string, number>();

const plainName = /^[ !#-[\]-~]*$/;

/** Place and length of a name in `nameWords`, as `place * 64 + length`; -1 where it is not kept. */
export function cachedName(name: string): number {
  return cached.get(name) ?? cacheName(name);
}

function cacheName(name: string): number {
  const length = name.length + 3;
  const next = used + ((length + 7) >> 3);
  if (
    length > maxNameBytes ||
    cached.size === maxNames ||
    next > maxWords ||
    !plainName.test(name)
  ) {
    return -1;
  }
  if (next > nameWords.length) {
    const more = new Float64Array(nameWords.length * 2);
    more.set(nameWords);
    nameWords = more;
  }
  const bytes = new Uint8Array(nameWords.buffer, used * 8);
  const text = `"${name}":`;
  for (let at = 0; at < length; at++) bytes[at] = text.charCodeAt(at);
  const place = used * 64 + length;
  cached.set(name, place);
  used = next;
  return place;
}
