import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { InputError } from "../../../generator/base/input-error.js";
import {
  compareOutput,
  writeOutput,
  writeThrough,
} from "../../../generator/output/write-output.js";
import { withFolder } from "../../support/compile.js";
import { killedAt, systemError, withAccidents } from "../../support/failing-files.js";
import { fromRoot } from "../../support/paths.js";
import {
  own,
  asFiles,
  readTree,
  packageIn,
  equals,
  scenes,
  prepare,
  ownIn,
  assertDone,
} from "../../support/output-scenes.js";

// The tests in this file write thousands of files. An in-memory file system is faster and spares
// the disk.
if (existsSync("/dev/shm")) process.env["TMPDIR"] = "/dev/shm";

const refuseToMove =
  (out: string) =>
  ({ name, args }: { readonly name: string; readonly args: readonly unknown[] }): void => {
    if (name === "renameSync" && args[0] === out) throw systemError("EBUSY", "rename");
  };

for (const scene of scenes) {
  test(`a run ${scene.name} that is killed at any step leaves either the old or the new package, and the next run cleans up`, async () => {
    let step = 0;
    for (let isOver = false; !isOver;) {
      step++;
      await withFolder(async (folder) => {
        const out = await prepare(scene, folder);
        const parent = dirname(out);
        const { files: dying, isDead } = killedAt(step);
        const files =
          scene.isFixed === true
            ? {
                ...dying,
                renameSync: (from: string, to: string) => {
                  if (!isDead()) refuseToMove(out)({ name: "renameSync", args: [from] });
                  dying.renameSync(from, to);
                },
              }
            : dying;
        await writeThrough(files as typeof dying, out, asFiles(scene.after), {
          force: false,
        }).catch((error: Error) => {
          assert.equal(error.message, "killed");
        });
        isOver = !isDead();
        const found = packageIn(out);
        const isNew = equals(found, scene.after);
        const isOld = equals(found, scene.before ?? {});
        if (isOver) return assertDone(scene, out, scene.after);
        const isNothing = !existsSync(out) && existsSync(join(parent, ".pkg.wirewright/old"));
        assert.ok(
          isNew || isOld || isNothing || scene.isFixed === true,
          `step ${step}: ${JSON.stringify(found)}`,
        );
        if (scene.hasOwn) assert.deepEqual(ownIn(parent), own, `step ${step}`);
        // An interrupted run is reported only while the old package is set aside.
        const stale = await compareOutput(out, asFiles(scene.after));
        const isAside = existsSync(join(parent, ".pkg.wirewright/old"));
        assert.equal(
          stale.some(({ state }) => state === "interrupted"),
          isAside,
        );
        if (!isNew) assert.ok(stale.length > 0);
        // Three ways to continue after a killed run: run again, write the old package, or kill a
        // second run and then run again.
        const copy = (name: string): string => {
          const options = { recursive: true, verbatimSymlinks: true };
          cpSync(parent, join(folder, name), options);
          return join(folder, name, "pkg");
        };
        if (step % 2 === 0 && Object.keys(scene.before ?? {}).length > 0) {
          const back = copy("back");
          await writeOutput(back, asFiles(scene.before!));
          assertDone(scene, back, scene.before!);
        }
        if (step % 3 === 0) {
          const twice = copy("twice");
          const { files: dyingToo } = killedAt((step * 7) % 23);
          await writeThrough(dyingToo, twice, asFiles(scene.after), { force: false }).catch(
            () => undefined,
          );
          if (scene.hasOwn) assert.deepEqual(ownIn(dirname(twice)), own);
          await writeOutput(twice, asFiles(scene.after));
          assertDone(scene, twice, scene.after);
        }
        await writeOutput(out, asFiles(scene.after));
        assertDone(scene, out, scene.after);
      });
    }
    assert.ok(step > 5, `${step} steps`);
  });
}

for (const scene of scenes.filter((_, index) => index !== 1 && index !== 2)) {
  for (const errorCode of ["ENOSPC", "EACCES", "EXDEV", "EPERM"]) {
    test(`a run ${scene.name} with ${errorCode} at any step either changes nothing or succeeds`, async () => {
      let failed = 0;
      for (let step = 1, isOver = false; !isOver; step++) {
        await withFolder(async (folder) => {
          const out = await prepare(scene, folder);
          const before = readTree(out);
          isOver = true;
          let number = 0;
          const files = withAccidents(({ name, args }) => {
            if (scene.isFixed === true) refuseToMove(out)({ name, args });
            // Error codes other than ENOSPC matter only for renames, so only renames fail with
            // them.
            if (errorCode !== "ENOSPC" && name !== "renameSync") return;
            if (++number !== step) return;
            isOver = false;
            throw systemError(errorCode, name);
          });
          try {
            await writeThrough(files, out, asFiles(scene.after), { force: false });
            assert.deepEqual(packageIn(out), scene.after);
          } catch (error) {
            assert.ok(error instanceof InputError, String(error));
            assert.equal(error.code, "ERR_OUTPUT");
            failed++;
            if (error.hint === "The old files are unchanged")
              assert.deepEqual(readTree(out), before);
            else if (error.hint !== undefined)
              assert.match(
                error.hint,
                /^Run wirewright generate again to finish the interrupted run$/,
              );
            else assert.deepEqual(readTree(out), before);
          }
          if (scene.hasOwn) assert.deepEqual(ownIn(dirname(out)), own, `step ${step}`);
          await writeOutput(out, asFiles(scene.after));
          assertDone(scene, out, scene.after);
        });
      }
      assert.ok(failed > 0, `${failed} failures`);
    });
  }
}

test("a run that cannot undo its changes says so, and the next run completes them", async () => {
  const scene = scenes[3]!;
  for (let step = 1, isOver = false; !isOver; step += 2) {
    await withFolder(async (folder) => {
      const out = await prepare(scene, folder);
      isOver = true;
      const files = withAccidents(({ number, name }) => {
        if (number < step) return;
        isOver = false;
        throw systemError("EROFS", name);
      });
      const failure = await writeThrough(files, out, asFiles(scene.after), { force: false }).catch(
        (error: unknown) => error,
      );
      if (typeof failure !== "number") {
        assert.ok(failure instanceof InputError, String(failure));
        const found = packageIn(out);
        assert.ok(
          equals(found, scene.before!) || equals(found, scene.after) || !existsSync(out),
          JSON.stringify(found),
        );
        if (failure.hint === "The old files are unchanged") assert.ok(equals(found, scene.before!));
      }
      assert.deepEqual(ownIn(dirname(out)), own);
      await writeOutput(out, asFiles(scene.after));
      assertDone(scene, out, scene.after);
    });
  }
});

test("a process killed during a rename leaves either the old or the new package", async () => {
  const script = `
    const { writeThrough } = await import(${JSON.stringify(fromRoot("build/generator/output/write-output.js"))});
    const { withAccidents } = await import(${JSON.stringify(fromRoot("build/test/support/failing-files.js"))});
    const [out, text, step] = process.argv.slice(1);
    let renames = 0;
    const files = withAccidents(({ name }) => {
      if (name === "renameSync" && ++renames === Number(step)) process.kill(process.pid, "SIGKILL");
    });
    await writeThrough(files, out, new Map(Object.entries(JSON.parse(text))), { force: false });
  `;
  const scene = scenes[3]!;
  const seen = new Set<string>();
  for (let step = 1; ; step++) {
    const isOver = await withFolder(async (folder) => {
      const out = await prepare(scene, folder);
      const { signal, status, stderr } = spawnSync(process.execPath, [
        "--input-type=module",
        "-e",
        script,
        out,
        JSON.stringify(scene.after),
        String(step),
      ]);
      if (signal === null) {
        assert.equal(status, 0, String(stderr));
        assertDone(scene, out, scene.after);
        return true;
      }
      const found = packageIn(out);
      seen.add(
        equals(found, scene.after)
          ? "new"
          : equals(found, scene.before!)
            ? "old"
            : existsSync(out)
              ? "mixture"
              : "nothing",
      );
      assert.deepEqual(ownIn(dirname(out)), own);
      await writeOutput(out, asFiles(scene.after));
      assertDone(scene, out, scene.after);
      return false;
    });
    if (isOver) break;
  }
  assert.deepEqual([...seen].sort(), ["new", "nothing", "old"]);
});
