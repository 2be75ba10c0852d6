/**
 * Number of characters at the start of a string that get nodes in the trie. The rest are compared
 * with a single call.
 */
const mostSteps = 128;

interface Node<Value> {
  readonly next: Map<string, Node<Value>>;
  /**
   * The strings that start with the characters on the path to this node, each as its remaining
   * characters.
   */
  values: { readonly rest: string; readonly value: Value }[];
}

/** Finds many strings in a single pass over a text. */
export class TextTrie<Value> {
  readonly #root: Node<Value> = { next: new Map(), values: [] };

  /** Adds a string. Returns whether it was new. */
  add(text: string, value: Value): boolean {
    let node = this.#root;
    for (const character of text.slice(0, mostSteps).split("")) {
      let next = node.next.get(character);
      if (next === undefined) node.next.set(character, (next = { next: new Map(), values: [] }));
      node = next;
    }
    const rest = text.slice(mostSteps);
    if (node.values.some((each) => each.rest === rest)) return false;
    node.values.push({ rest, value });
    return true;
  }

  /** Finds the longest string that starts at an index and satisfies `accepts`. */
  longestAt(
    text: string,
    at: number,
    accepts: (value: Value, end: number) => boolean,
  ): { readonly value: Value; readonly end: number } | undefined {
    let longest: { readonly value: Value; readonly end: number } | undefined;
    let node: Node<Value> | undefined = this.#root;
    for (let place = at; node !== undefined; node = node.next.get(text[place++] ?? ""))
      for (const { rest, value } of node.values) {
        const end = place + rest.length;
        if (end > (longest?.end ?? at) && text.startsWith(rest, place) && accepts(value, end))
          longest = { value, end };
      }
    return longest;
  }
}
