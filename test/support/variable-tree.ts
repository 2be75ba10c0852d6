/** A random tree of variables, an adapter that serves it, and a check for snapshots taken of it. */

/** A source of random choices, such as the fuzzer's. */
interface Random {
  below(bound: number): number;
  oneIn(calls: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  length(bound: number): number;
}

/** A scope or a variable. */
export interface TreeNode {
  readonly name: string;
  readonly value: string;
  /** The `variablesReference`; 0 if the variable has no children. */
  readonly reference: number;
  readonly inside: readonly TreeNode[];
  /** Number of children that the adapter announces. */
  readonly counts: { readonly namedVariables?: number; readonly indexedVariables?: number };
  /** Whether the variable is expensive, or computed on demand. */
  readonly isLazy: boolean;
  /** Whether the adapter rejects requests for the children. */
  readonly isRefused: boolean;
}

/** How the adapter responds to a request for part of a container. */
export type Paging = "pages" | "everything" | "ignores-count";

export interface VariableTree {
  readonly scopes: readonly TreeNode[];
  readonly paging: Paging;
  /** The containers of the tree by their `variablesReference`. */
  readonly nodes: ReadonlyMap<number, TreeNode>;
}

const pagings: readonly Paging[] = ["pages", "pages", "everything", "ignores-count"];

/** Creates a tree with at most about `most` variables. */
export function randomTree(random: Random, most = 400): VariableTree {
  const nodes = new Map<number, TreeNode>();
  let left = most;
  const node = (name: string, depth: number): TreeNode => {
    const wanted = random.oneIn(3) || depth > 4 ? 0 : random.length(random.oneIn(6) ? 250 : 12);
    const count = Math.min(wanted, left);
    left -= count;
    const isContainer = count > 0 || random.oneIn(8);
    const inside = Array.from({ length: count }, (_, at) => node(`${name}.${at}`, depth + 1));
    const named = random.below(count + 1);
    const reference = isContainer ? nodes.size + 1 : 0;
    const own: TreeNode = {
      name,
      reference,
      inside,
      value: "é".repeat(random.oneIn(9) ? random.below(40) : random.below(4)),
      counts: random.pick([
        {},
        { indexedVariables: count },
        { namedVariables: count },
        { namedVariables: named, indexedVariables: count - named },
      ]),
      isLazy: random.oneIn(12),
      isRefused: random.oneIn(25),
    };
    if (isContainer) nodes.set(reference, own);
    return own;
  };
  const scopes = Array.from({ length: random.below(4) }, (_, at) => node(`s${at}`, 0));
  return { scopes, paging: random.pick(pagings), nodes };
}

interface VariablesArguments {
  readonly variablesReference: number;
  readonly start?: number;
  readonly count?: number;
  readonly filter?: "named" | "indexed";
}

/** Returns the body of the response to `scopes`. */
export function scopesOf({ scopes }: VariableTree): object {
  return {
    scopes: scopes.map(({ name, reference, counts, isLazy }) => ({
      name,
      variablesReference: reference,
      ...counts,
      expensive: isLazy,
    })),
  };
}

/**
 * Returns the body of the response to `variables`, or undefined if the adapter rejects the request.
 */
export function variablesOf(
  { nodes, paging }: VariableTree,
  { variablesReference, start = 0, count = 0, filter }: VariablesArguments,
): object | undefined {
  const node = nodes.get(variablesReference);
  if (node === undefined || node.isRefused) return undefined;
  const named = node.counts.namedVariables ?? 0;
  const all = node.inside;
  const filtered =
    filter === undefined ? all : filter === "named" ? all.slice(0, named) : all.slice(named);
  const end = count === 0 || paging === "ignores-count" ? undefined : start + count;
  const given = paging === "everything" ? all : filtered.slice(start, end);
  return {
    variables: given.map(({ name, value, reference, counts, isLazy }) => ({
      name,
      value,
      variablesReference: reference,
      ...counts,
      ...(isLazy ? { presentationHint: { lazy: true } } : {}),
    })),
  };
}

/** A scope or variable in a snapshot. */
export interface ShownPart {
  readonly name: string;
  readonly value?: string;
  readonly variablesReference: number;
  readonly variables?: readonly ShownPart[];
  readonly cut?: { readonly reason: string; readonly count?: number };
}

export interface ShownBudget {
  readonly items: number;
  readonly depth: number;
  readonly bytes: number;
  readonly expensive: boolean;
}

/**
 * Finds the first contradiction between a tree and a snapshot of it. Returns undefined if the shown
 * and the cut parts together form the tree.
 */
export function findContradiction(
  tree: VariableTree,
  scopes: readonly ShownPart[],
  budget: ShownBudget,
): string | undefined {
  if (scopes.length !== tree.scopes.length) return `${scopes.length} scopes are shown`;
  let level = tree.scopes.map((node, at) => [node, scopes[at]!] as const);
  let items = 0;
  let bytes = 0;
  for (let depth = 0; level.length > 0; depth++) {
    const next: (readonly [TreeNode, ShownPart])[] = [];
    for (const [node, shown] of level) {
      const { name, value } = node;
      bytes += Buffer.byteLength(shown.name) + Buffer.byteLength(shown.value ?? "");
      if (!name.startsWith(shown.name)) return `${name} is shown as ${shown.name}`;
      if (depth > 0 && !value.startsWith(shown.value!)) return `${name} has ${shown.value}`;
      const wrong = wrongPart(node, shown, depth, budget);
      if (wrong !== undefined) return `${name}: ${wrong}: ${JSON.stringify(shown).slice(0, 300)}`;
      for (const [at, each] of (shown.variables ?? []).entries())
        next.push([node.inside[at]!, each]);
    }
    const unfair = unfairPart(level, budget.items - items);
    if (unfair !== undefined) return unfair;
    items += next.length;
    level = next;
  }
  if (items > budget.items) return `${items} variables are shown`;
  if (bytes > budget.bytes + 64) return `${bytes} bytes are shown`;
  return undefined;
}

function wrongPart(
  { inside, reference, isLazy, isRefused }: TreeNode,
  { variables, variablesReference, cut }: ShownPart,
  depth: number,
  budget: ShownBudget,
): string | undefined {
  if (variablesReference !== reference) return "another reference";
  const count = variables?.length ?? 0;
  if (count > inside.length) return `${count} variables of ${inside.length}`;
  const isRead = reference === 0 || (variables !== undefined && count === inside.length);
  if (cut === undefined) return isRead ? undefined : "a cut is lost";
  if (reference === 0) return "a cut of nothing";
  if (cut.count !== undefined && cut.count !== inside.length - count) return "another count";
  if (cut.reason === "depth" && depth < budget.depth) return "it is not too deep";
  if (cut.reason === "expensive" && (!isLazy || budget.expensive)) return "it is not expensive";
  if (cut.reason === "failed" && !isRefused) return "it is not refused";
  if (isRefused && count > 0) return "it is refused";
  return undefined;
}

/**
 * Finds a container that got less than an equal share of the items although it was not read to its
 * end.
 */
function unfairPart(
  level: readonly (readonly [TreeNode, ShownPart])[],
  items: number,
): string | undefined {
  const share = Math.floor(items / Math.max(1, level.length));
  for (const [{ name }, { variables, cut }] of level) {
    const count = variables?.length ?? 0;
    if (cut?.reason === "items" && count < share) return `${name} has ${count} of ${share}`;
  }
  return undefined;
}
