/** Requests and references that are remembered at most: a session may go on for days. */
const most = 100_000;

/** Keeps a value as the latest of a map, in place of the oldest if there are too many. */
export function keep<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  if (map.size >= most) map.delete(map.keys().next().value as Key);
  map.set(key, value);
}
