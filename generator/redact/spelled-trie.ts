import { runOf, unitAt, type EncodingLevel } from "./spelled-text.js";

interface Node<Value> {
  readonly next: Map<string, Node<Value>>;
  value: Value | undefined;
}

/** Finds many texts at once, in any spelling. */
export class SpelledTrie<Value> {
  readonly #root: Node<Value> = { next: new Map(), value: undefined };

  /** @param text In small letters. Returns whether it is new. */
  add(text: string, value: Value): boolean {
    let node = this.#root;
    for (let index = 0; index < text.length; index++) {
      const character = text[index]!;
      let next = node.next.get(character);
      if (next === undefined)
        node.next.set(character, (next = { next: new Map(), value: undefined }));
      node = next;
    }
    const isNew = node.value === undefined;
    node.value ??= value;
    return isNew;
  }

  /**
   * The longest text that begins at a place and is accepted.
   *
   * @param level How often it was encoded for a URL.
   */
  longestAt(
    text: string,
    at: number,
    level: EncodingLevel,
    accepts: (value: Value, end: number) => boolean,
  ): { readonly value: Value; readonly end: number } | undefined {
    let longest: { readonly value: Value; readonly end: number } | undefined;
    // Ways that are still open. `\\n` may be a line end or a backslash, and `+` may be a space.
    const open: (readonly [node: Node<Value>, place: number])[] = [[this.#root, at]];
    for (let way = open.pop(); way !== undefined; way = open.pop()) {
      let [node, place] = way;
      for (;;) {
        const { value } = node;
        if (value !== undefined && place > (longest?.end ?? at) && accepts(value, place))
          longest = { value, end: place };
        const unit = unitAt(text, place, level);
        if (unit === undefined) break;
        if (text[place] === "\\") {
          const run = this.#afterBackslashes(node, runOf(text, place));
          if (run !== undefined && unit.text !== "\\") open.push([run, place + runOf(text, place)]);
          else if (run !== undefined) {
            node = run;
            place += unit.length;
            continue;
          }
        }
        if (text[place] === "+" && level > 0) {
          const plus = node.next.get("+");
          if (plus !== undefined) open.push([plus, place + 1]);
        }
        let next: Node<Value> | undefined = node;
        for (let index = 0; index < unit.text.length && next !== undefined; index++)
          next = next.next.get(unit.text[index]!);
        if (next === undefined) break;
        node = next;
        place += unit.length;
      }
    }
    return longest;
  }

  /** Each level of escaping doubles backslashes, so that a run of them stands for a shorter one. */
  #afterBackslashes(node: Node<Value>, most: number): Node<Value> | undefined {
    let found: Node<Value> | undefined;
    let next = node.next.get("\\");
    for (let count = 0; count < most && next !== undefined; count++) {
      found = next;
      next = next.next.get("\\");
    }
    return found;
  }
}
