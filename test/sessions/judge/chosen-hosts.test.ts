import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { InputError } from "../../../generator/base/input-error.js";
import { readHost, type HostTable } from "../../../sessions/judge/host-table.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { ask, answer, tell, hosted } from "../../support/judged-entries.js";

test("host table rules depend on which threads and modules exist", () => {
  const entities: HostTable["entities"] = {
    thread: {
      begins: [
        { message: "event thread", if: { reason: { is: ["started"] } }, id: "threadId" },
        { message: "response threads", each: "threads", id: "id" },
      ],
      ends: [{ message: "event thread", if: { reason: { is: ["exited"] } }, id: "threadId" }],
    },
    eternal: { begins: [{ message: "event module", id: "module/id" }] },
  };
  const thread = (reason: string, threadId: unknown): RecordedEntry =>
    tell(1, "thread", { reason, threadId });
  const use = (threadId: unknown): RecordedEntry => tell(1, "continued", { threadId });
  const entries = [
    use(1),
    thread("started", 1),
    use(1),
    use(2),
    use(undefined),
    use({}),
    thread("exited", 1),
    use(1),
    thread("odd", 5),
    use(5),
    ask(1, "threads"),
    answer(1, 1, "threads", { body: { threads: [{ id: 3 }, {}, { id: 4 }] } }),
    use(3),
    use(4),
    answer(2, 2, "threads", { body: { threads: {} } }),
    tell(1, "thread"),
  ];
  const found = (test: object): readonly string[] =>
    hosted({ message: "event continued", test: { threadId: test } }, entries, entities).map(
      (each) => each.split(" ")[0]!,
    );
  assert.deepEqual(found({ known: "thread" }), ["#3", "#13", "#14"]);
  assert.deepEqual(found({ unknown: "thread" }), ["#1", "#4", "#6", "#8", "#10"]);
  assert.deepEqual(found({ unknown: "thread", orAbsent: true }), [
    "#1",
    "#4",
    "#5",
    "#6",
    "#8",
    "#10",
  ]);
  assert.deepEqual(found({ known: "nothing" }), []);
  assert.deepEqual(
    hosted(
      { message: "event module", test: { "module/id": { known: "eternal" } } },
      [1, 2, 1].map((id) => tell(id, "module", { reason: "new", module: { id, name: "m" } })),
      entities,
    ),
    ["#3 info dies /body/module/id A rule. It dies."],
  );
});

test("--host accepts a known name or a file that describes a host's behaviour", async () => {
  const refusal = async (host: string, protocol: string): Promise<readonly unknown[]> => {
    try {
      return [await readHost(host, protocol)];
    } catch (error) {
      const { code, message, hint, place } = error as InputError;
      return [code, message, hint, place.pointer];
    }
  };
  assert.deepEqual(await refusal("emacs", "dap"), [
    "ERR_ARGUMENT",
    'Cannot find the host "emacs"',
    "Known hosts: visual-studio. To use another host, pass the path to its file",
    undefined,
  ]);
  assert.deepEqual(await refusal("visual-studoi", "dap"), [
    "ERR_ARGUMENT",
    'Cannot find the host "visual-studoi"',
    'Did you mean "visual-studio"?',
    undefined,
  ]);
  assert.deepEqual(await refusal("emacs", "sqltools"), [
    "ERR_ARGUMENT",
    'Cannot find the host "emacs"',
    "Known hosts: none. To use another host, pass the path to its file",
    undefined,
  ]);
  await withFolder(async (folder) => {
    writeFiles(folder, {
      "protocol.json": "{}",
      "hosts/emacs.json": "{}",
      "hosts/visual-studio.json": "{}",
    });
    assert.deepEqual(await refusal("nothing", join(folder, "protocol.json")), [
      "ERR_ARGUMENT",
      'Cannot find the host "nothing"',
      "Known hosts: emacs, visual-studio. To use another host, pass the path to its file",
      undefined,
    ]);
    const table = {
      name: "mine",
      title: "Mine",
      outcomes: {
        dies: { severity: "error", docs: "It dies." },
        lives: { severity: "info", docs: "It lives." },
      },
      rules: [
        { id: "MY-A1", outcome: "dies", docs: "x." },
        { id: "MY-A2", outcome: "toString", docs: "x." },
      ],
    };
    const good = { ...table, rules: table.rules.slice(0, 1) };
    writeFiles(folder, {
      "wrong.json": JSON.stringify(table),
      "good.json": JSON.stringify(good),
      "odd.json": JSON.stringify({ ...good, rules: 7 }),
    });
    assert.deepEqual(await refusal(join(folder, "wrong.json"), "dap"), [
      "ERR_DESCRIPTION",
      'Cannot find the outcome "toString" named by MY-A2',
      "Known: dies, lives",
      "/rules/1/outcome",
    ]);
    assert.deepEqual(await refusal(join(folder, "good.json"), "dap"), [good]);
    assert.equal((await refusal(join(folder, "odd.json"), "dap"))[0], "ERR_DESCRIPTION");
  });
});
