/**
 * Whether a parsed value nests no deeper than `limit`: `{}` is one level deep.
 *
 * It is asked behind `JSON.parse`, which needs no stack of its own: nested bodies take about as much memory
 * as flat ones of the same length. What depth endangers is whoever walks the value.
 *
 * @param json What it was parsed from.
 */
export function nestsWithin(value: object, json: string, limit: number): boolean {
  return isTooShort(json, limit) || measureWithin(value, limit);
}

/** Whether a text is too short to nest that deep: a list takes two units at least and an object five. */
function isTooShort(json: string, limit: number): boolean {
  const objects = json.length / 5;
  let lists = 0;
  for (let at = -1; objects + lists <= limit; lists++) {
    at = json.indexOf("[", at + 1);
    if (at < 0) return true;
  }
  return false;
}

/** Level by level, so that a deep value needs no stack. */
function measureWithin(value: object, limit: number): boolean {
  const isPlain = !inheritsFields();
  let level = [value];
  for (let depth = 1; depth <= limit; depth++) {
    const next: object[] = [];
    for (const each of level) {
      if (Array.isArray(each)) {
        for (const item of each as readonly unknown[])
          if (typeof item === "object" && item !== null) next.push(item);
      } else {
        for (const name in each) {
          if (!isPlain && !Object.hasOwn(each, name)) continue;
          const field = (each as Readonly<Record<string, unknown>>)[name];
          if (typeof field === "object" && field !== null) next.push(field);
        }
      }
    }
    if (next.length === 0) return true;
    level = next;
  }
  return false;
}

/** Whether somebody has given all objects fields: they would be found in each one, for ever. */
function inheritsFields(): boolean {
  for (const name in {}) return name !== undefined;
  return false;
}
