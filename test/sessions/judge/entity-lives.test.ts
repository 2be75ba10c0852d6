import assert from "node:assert/strict";
import { test } from "node:test";
import { EntityLives } from "../../../sessions/judge/table/entity-lives.js";
import type { Suspension } from "../../../sessions/judge/table/suspension.js";
import { seeded } from "../../support/sample-values.js";

test("ids beyond the limit are forgotten, and then an unknown id need not be a mistake", () => {
  let voidBefore = 0;
  const suspension = { isVoid: (index: number) => index < voidBefore } as Suspension;
  const lives = new EntityLives({ begins: [], expires: true }, 10, suspension, () => undefined);
  const state = (): object => ({
    known: Array.from({ length: 12 }, (_, id) => id).filter((id) => lives.isKnown(id)),
    gaps: [lives.gapOf(0), lives.liveGapOf(0), lives.gapOf(11)],
  });
  for (let id = 0; id < 10; id++) lives.begin(id, id + 1);
  assert.deepEqual(state(), {
    known: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    gaps: [undefined, undefined, undefined],
  });
  lives.begin(11, 12);
  assert.deepEqual(state(), {
    known: [6, 7, 8, 9, 11],
    gaps: ["memory", "memory", undefined],
  });
  voidBefore = 10;
  assert.deepEqual(state(), { known: [9, 11], gaps: ["memory", undefined, undefined] });
});

test("an id that is used again after its end is valid", () => {
  let voidBefore = 0;
  const suspension = { isVoid: (at: number) => at < voidBefore } as Suspension;
  const lives = new EntityLives(
    { begins: [], expires: true },
    ...([100_000, suspension, () => undefined] as const),
  );
  lives.end(50, 1, "adapter");
  for (let id = 1; id < 50; id++) lives.begin(id, 2);
  lives.begin(50, 3);
  voidBefore = 4;
  lives.begin(60, 5);
  const of = (id: number): object => ({
    ended: lives.isEnded(id, "adapter", 9),
    past: lives.isPast(id),
    known: lives.isKnown(id),
  });
  assert.deepEqual(of(50), { ended: false, past: true, known: false });
  assert.deepEqual(of(60), { ended: false, past: false, known: true });
});

test("id life spans match a simple list after random operations", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = seeded(seed);
    const pick = (count: number): number => Math.floor(random() * count);
    let voidBefore = 0;
    let movedAt = 0;
    const suspension = {
      isVoid: (givenAt: number) => givenAt < voidBefore,
      hasMovedSince: (givenAt: number) => movedAt > givenAt,
    } as Suspension;
    const expires = ([undefined, true, "partly"] as const)[pick(3)];
    const lives = new EntityLives(
      { begins: [], ...(expires === undefined ? {} : { expires }) },
      100_000,
      suspension,
      () => undefined,
    );
    const plain = new Map<unknown, { at: number; ended?: string }>();
    let next = 1;
    for (let at = 1; at < 300; at++) {
      const ids = Array.from({ length: pick(5) === 0 ? 40 : pick(4) }, () =>
        pick(3) === 0 ? 1 + pick(next) : pick(20) === 0 ? `id ${pick(9)}` : next++,
      );
      const action = pick(6);
      if (action === 0) movedAt = at;
      else if (action === 1) voidBefore = movedAt = at;
      else
        for (const id of ids)
          if (action === 2) {
            lives.end(id, at, "adapter");
            plain.set(id, { at, ended: "adapter" });
          } else {
            lives.begin(id, at);
            plain.set(id, { at });
          }
      const isPast = (givenAt: number): boolean =>
        expires !== undefined &&
        (givenAt < voidBefore || (expires === "partly" && movedAt > givenAt));
      for (const id of [1 + pick(next), 1 + pick(next), `id ${pick(9)}`]) {
        const life = plain.get(id);
        const isAlive = life !== undefined && life.ended === undefined;
        assert.deepEqual(
          {
            given: lives.isGiven(id),
            known: lives.isKnown(id),
            past: lives.isPast(id),
            ended: lives.isEnded(id, "adapter", at),
          },
          {
            given: life !== undefined,
            known: isAlive && !isPast(life.at),
            past: isAlive && isPast(life.at),
            ended: life?.ended !== undefined,
          },
          `seed ${seed}, message ${at}, id ${id}`,
        );
      }
    }
  }
});
