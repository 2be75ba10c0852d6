/** Tests snapshots of random trees. The parts shown and the cuts must add up to the tree. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  launch,
  type ScopeSnapshot,
  type StopSnapshot,
  type VariableSnapshot,
} from "@wirewright/dap/session";
import { Random } from "../../support/random.js";
import {
  findContradiction,
  randomTree,
  scopesOf,
  variablesOf,
  type VariableTree,
} from "../../support/variable-tree.js";
import { answer, event, refusal, ScriptedAdapter } from "../../support/scripted-adapter.js";
import { isLong } from "../../support/long-tests.js";

const quick = { disconnectMs: 20, closeMs: 20 };

function adapterOf(tree: VariableTree): ScriptedAdapter {
  return new ScriptedAdapter((request) => {
    const given = request["arguments"];
    switch (request["command"]) {
      case "initialize":
        return [answer(request), event("initialized")];
      case "launch":
        return [answer(request), event("stopped", { reason: "entry", threadId: 1 })];
      case "stackTrace":
        return [answer(request, { stackFrames: [{ id: 1, name: "main", line: 1, column: 1 }] })];
      case "scopes":
        return [answer(request, scopesOf(tree))];
      case "variables": {
        const body = variablesOf(tree, given);
        return [body === undefined ? refusal(request, "no") : answer(request, body)];
      }
      default:
        return [answer(request)];
    }
  });
}

/** Lists all truncated parts of a snapshot, from the top down. */
function cutParts(snapshot: StopSnapshot): (ScopeSnapshot | VariableSnapshot)[] {
  const parts: (ScopeSnapshot | VariableSnapshot)[] = [...snapshot.frames[0]!.scopes];
  for (const each of parts) parts.push(...(each.variables ?? []));
  return parts.filter(({ cut }) => cut !== undefined);
}

const seeds = isLong ? 5_000 : 250;

test("the shown parts and the cuts of a snapshot add up to the tree, whatever the budget", async () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const random = new Random(seed);
    const tree = randomTree(random);
    const budget = {
      items: random.oneIn(8) ? 0 : random.length(400),
      depth: random.below(5),
      bytes: random.oneIn(3) ? random.length(600) : 100_000,
      expensive: random.oneIn(3),
    };
    const session = await launch(adapterOf(tree), { arguments: {} });
    await session.waitForStop();
    const snapshot = await session.snapshot({ ...budget, valueBytes: 10_000 });
    const name = `seed ${seed}, ${JSON.stringify({ ...budget, paging: tree.paging })}`;
    assert.equal(findContradiction(tree, snapshot.frames[0]!.scopes, budget), undefined, name);
    await session.disconnect(quick);
  }
});

test("expand() can continue until everything is shown, except for parts that the adapter refuses to return", async () => {
  for (let seed = 1; seed <= seeds / 5; seed++) {
    const random = new Random(seed, 1);
    const tree = randomTree(random, 150);
    const session = await launch(adapterOf(tree), { arguments: {} });
    await session.waitForStop();
    const snapshot = await session.snapshot({ items: random.length(50), depth: random.below(3) });
    const whole = { items: Infinity, depth: 99, bytes: Infinity, expensive: true };
    const isOpen = ({ cut }: ScopeSnapshot | VariableSnapshot): boolean => cut!.reason !== "failed";
    for (let rounds = 0; ; rounds++) {
      const part = cutParts(snapshot).find(isOpen);
      if (part === undefined) break;
      assert.ok(rounds < 1_000, `seed ${seed}`);
      assert.equal(
        await snapshot.expand(part, { items: random.length(60), depth: 1 + random.below(3) }),
        part,
      );
    }
    const { scopes } = snapshot.frames[0]!;
    assert.equal(findContradiction(tree, scopes, whole), undefined, `seed ${seed}`);
    for (const { cut } of cutParts(snapshot)) assert.equal(cut!.reason, "failed");
    await session.disconnect(quick);
  }
});
