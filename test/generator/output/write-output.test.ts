import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { nodeFileSystem } from "../../../generator/output/file-system.js";
import { takeLock } from "../../../generator/output/folder-lock.js";
import {
  compareOutput,
  writeOutput,
  writeThrough,
} from "../../../generator/output/write-output.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { withAccidents } from "../../support/failing-files.js";
import { fromRoot } from "../../support/paths.js";
import {
  oldPackage,
  newPackage,
  asFiles,
  readTree,
  without,
  packageIn,
  equals,
  scenes,
  prepare,
  assertDone,
} from "../../support/output-scenes.js";

// The tests in this file write thousands of files. An in-memory file system is faster and spares
// the disk.
if (existsSync("/dev/shm")) process.env["TMPDIR"] = "/dev/shm";

test("a run leaves the folder itself, unchanged files and the user's files in place", async () => {
  await withFolder(async (folder) => {
    const scene = scenes[3]!;
    const out = await prepare(scene, folder);
    const kept = [
      "",
      "runtime/kept.ts",
      "cjs/package.json",
      "mine.ts",
      "node_modules",
      "dist/deep/index.js",
    ];
    for (const path of kept) if (path !== "") utimesSync(join(out, path), 1_000, 2_000);
    const identify = (): unknown =>
      kept.map((path) => {
        const { ino, mtimeMs } = statSync(join(out, path));
        return path === "" ? ino : [ino, mtimeMs];
      });
    const before = identify();
    assert.equal(await writeOutput(out, asFiles(scene.after)), 7);
    assert.deepEqual(identify(), before);
    assertDone(scene, out, scene.after);
    assert.equal(await writeOutput(out, asFiles(scene.after)), 0);
  });
});

test("files that another program writes during a run are not lost", async () => {
  const scene = scenes[3]!;
  await withFolder(async (folder) => {
    const out = await prepare(scene, folder);
    let isWritten = false;
    const files = withAccidents(({ name, args }) => {
      // Another program writes files when the first file is replaced, while the old folder is set
      // aside as the backup.
      if (isWritten || name !== "renameSync" || !String(args[1]).includes("/old/")) return;
      isWritten = true;
      writeFiles(out, { "dist/new.js": "built\n", "other/new.js": "built\n" });
    });
    await writeThrough(files, out, asFiles(scene.after), { force: false });
    assert.ok(isWritten);
    const { "dist/new.js": built, "other/new.js": other } = readTree(out);
    assert.deepEqual([built, other], ["built\n", "built\n"]);
    rmSync(join(out, "dist/new.js"));
    rmSync(join(out, "other"), { recursive: true });
    assertDone(scene, out, scene.after);
  });
});

test("a backup is not restored over files of the same name", async () => {
  const scene = scenes[3]!;
  await withFolder(async (folder) => {
    const out = await prepare(scene, folder);
    let isKilled = false;
    const files = withAccidents(
      ({ name, args }) => {
        isKilled ||= name === "renameSync" && String(args[1]).includes("/old/");
        if (isKilled) throw new Error("killed");
      },
      () => {
        if (isKilled) throw new Error("killed");
      },
    );
    await assert.rejects(
      writeThrough(files, out, asFiles(scene.after), { force: false }),
      /killed/,
    );
    writeFiles(out, { "mine.ts": "rebuilt\n", "dist/other.js": "rebuilt\n" });
    const before = readTree(dirname(out));
    await assert.rejects(writeOutput(out, asFiles(scene.after)), {
      code: "ERR_OUTPUT",
      message: "Cannot restore a folder set aside by an earlier run: this file is in both folders",
      place: { file: join(out, "mine.ts") },
    });
    assert.deepEqual(
      without(readTree(dirname(out)), ".pkg.wirewright/lock"),
      without(
        before,
        ".pkg.wirewright/lock",
        ...Object.keys(before).filter((path) =>
          /^\.pkg\.wirewright\/(fresh|backup|trash|interim|new)\//.test(path),
        ),
      ),
    );
    assert.equal((await compareOutput(out, asFiles(scene.after)))[0]!.state, "interrupted");
    rmSync(join(out, "mine.ts"));
    await writeOutput(out, asFiles(scene.after));
    assert.equal(readTree(out)["dist/other.js"], "rebuilt\n");
    rmSync(join(out, "dist/other.js"));
    assertDone(scene, out, scene.after);
  });
});

test("simultaneous runs do not damage each other's output", async () => {
  const scene = scenes[3]!;
  await withFolder(async (folder) => {
    const out = await prepare(scene, folder);
    const both = [oldPackage, newPackage];
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => writeOutput(out, asFiles(both[index % 2]!))),
    );
    const script = `
      const { writeOutput } = await import(${JSON.stringify(fromRoot("build/generator/output/write-output.js"))});
      const [out, ...packages] = process.argv.slice(1);
      for (let round = 0; round < 6; round++)
        await writeOutput(out, new Map(Object.entries(JSON.parse(packages[round % 2]))));
    `;
    const texts = both.map((each) => JSON.stringify(each));
    const ended = [texts, [...texts].reverse(), texts].map(
      (order) =>
        new Promise<string>((resolve) => {
          const child = spawn(process.execPath, [
            "--input-type=module",
            "-e",
            script,
            out,
            ...order,
          ]);
          let errorOutput = "";
          child.stderr.on("data", (chunk: Buffer) => (errorOutput += chunk.toString()));
          child.on("close", (status) => resolve(`${status} ${errorOutput}`));
        }),
    );
    assert.deepEqual(await Promise.all(ended), ["0 ", "0 ", "0 "]);
    assertDone(scene, out, equals(packageIn(out), oldPackage) ? oldPackage : newPackage);
  });
});

test("a run waits for a lock as long as its owner's process is alive, and then takes it over", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "lock");
    const prepareNothing = (): void => undefined;
    const take = (patienceMs = 60): Promise<() => void> =>
      takeLock(nodeFileSystem, path, prepareNothing, patienceMs);
    const held = (await take())();
    assert.equal(held, undefined);
    assert.ok(!existsSync(path));

    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await new Promise((resolve) => child.on("spawn", resolve));
    const lockOf = (pid: number | undefined, host = hostname()): void =>
      writeFileSync(path, JSON.stringify({ pid, host, id: "x" }));
    lockOf(child.pid);
    await assert.rejects(take(), {
      code: "ERR_OUTPUT",
      message: "Cannot write the package: another process is writing it",
      place: { file: path },
    });
    child.kill("SIGKILL");
    await new Promise((resolve) => child.on("close", resolve));
    (await take())();

    // Locks that are incomplete or owned by a process on another machine expire after some time.
    const minutes = (count: number): void =>
      utimesSync(path, Date.now() / 1_000, Date.now() / 1_000 - 60 * count);
    for (const text of ["", "{", "null", "7", '{"pid":"x"}']) {
      writeFileSync(path, text);
      await assert.rejects(take(), { code: "ERR_OUTPUT" });
      minutes(1);
      (await take())();
    }
    lockOf(1, "elsewhere");
    minutes(5);
    await assert.rejects(take(), { code: "ERR_OUTPUT" });
    minutes(11);
    (await take())();
    // If several runs find a stale lock, they take it one after the other.
    lockOf(child.pid);
    let inside = 0;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const release = await take(10_000);
        assert.equal(++inside, 1);
        await new Promise((resolve) => setImmediate(resolve));
        inside--;
        release();
      }),
    );
    assert.deepEqual(readdirSync(folder), []);
  });
});

test("a checkout with Windows line endings is up to date, and one with changed text is not", async () => {
  await withFolder(async (folder) => {
    await writeOutput(folder, asFiles(newPackage));
    for (const path of [...Object.keys(newPackage), ".wirewright.json"])
      writeFileSync(
        join(folder, path),
        readFileSync(join(folder, path), "utf8").replaceAll("\n", "\r\n"),
      );
    assert.deepEqual(await compareOutput(folder, asFiles(newPackage)), []);
    assert.equal(await writeOutput(folder, asFiles(newPackage)), 0);
    writeFileSync(join(folder, "README.md"), "new\r\n\r\n");
    assert.deepEqual(await compareOutput(folder, asFiles(newPackage)), [
      { path: "README.md", state: "changed" },
    ]);
    // The output has the requested line endings.
    const windows = new Map([["README.md", "new\r\n"]]);
    writeFileSync(join(folder, "README.md"), "new\n");
    assert.deepEqual(
      (await compareOutput(folder, windows)).filter(({ path }) => path === "README.md"),
      [{ path: "README.md", state: "changed" }],
    );
  });
});

test("another protocol's package is overwritten only on request", async () => {
  const packageOf = (protocol: string): ReadonlyMap<string, string> =>
    new Map([["package.json", `${JSON.stringify({ name: "x", protocol })}\n`]]);
  await withFolder(async (folder) => {
    const out = join(folder, "out");
    await writeOutput(out, packageOf("dap"));
    await assert.rejects(writeOutput(out, packageOf("sqltools")), {
      code: "ERR_OUTPUT",
      message:
        'Cannot overwrite the package for the protocol "dap" with the package for "sqltools"',
      place: { file: join(out, "package.json") },
      hint: "Choose another folder with --out, or pass --force",
    });
    assert.deepEqual(await compareOutput(out, packageOf("dap")), []);
    assert.equal(await writeOutput(out, packageOf("sqltools"), { force: true }), 1);
    assert.deepEqual(await compareOutput(out, packageOf("sqltools")), []);
    // Packages generated by earlier versions of the tool do not name their protocol.
    await writeOutput(out, new Map([["package.json", "{}\n"]]));
    assert.equal(await writeOutput(out, packageOf("dap")), 1);
    writeFileSync(join(out, "package.json"), "[1");
    assert.equal(await writeOutput(out, packageOf("dap")), 1);
  });
});
