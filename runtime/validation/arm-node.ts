import { testOfArm, type AnyFields } from "../protocol/message-fields.js";
import type { WhenTable } from "../protocol/protocol-description.js";
import type { MessageArm, Rule } from "./rule.js";

/** A message kind, prepared for selecting a message's rule by its name. `Node` is a linked rule. */
export class ArmNode<Node> {
  readonly when: WhenTable;
  /** Returns whether a message is of this kind. */
  readonly matches: (message: AnyFields) => boolean;
  readonly #nameOf: (message: AnyFields) => unknown;
  readonly #known: Readonly<Record<string, Rule>>;
  readonly #other: Rule;
  /** The node of the rule for all other names; undefined until it is needed. */
  #otherNode: Node | undefined;
  readonly #link: (rule: Rule) => Node;
  /** The nodes for known names, limited to the names seen so far. */
  readonly #nodes = new Map<unknown, Node>();

  constructor(arm: MessageArm, link: (rule: Rule) => Node) {
    const { name } = arm;
    this.when = arm.when;
    this.matches = testOfArm(arm);
    this.#nameOf = arm.nameOf ?? ((message) => (name === undefined ? undefined : message[name]));
    this.#known = arm.known ?? {};
    this.#other = arm.other;
    this.#link = link;
  }

  /** Returns the node of the rule for a message of this kind. */
  ruleOf(message: AnyFields): Node {
    const name = this.#nameOf(message);
    return this.#nodes.get(name) ?? this.#linkName(name);
  }

  #linkName(name: unknown): Node {
    if (typeof name !== "string" || !Object.hasOwn(this.#known, name))
      return (this.#otherNode ??= this.#link(this.#other));
    const node = this.#link(this.#known[name]!);
    this.#nodes.set(name, node);
    return node;
  }
}
