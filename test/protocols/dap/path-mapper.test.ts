import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PathMapper } from "@wirewright/dap/connection";
import { randomNumbers } from "../../support/recorded-sessions.js";

describe("a path", () => {
  const folders = {
    "/home/me/app": "/app",
    "/home/me/app/lib": "/usr/lib/app",
    "C:\\Work": "/work",
    "D:/data": "E:\\Data",
    "\\\\Server\\share": "/mnt/share",
    "/root": "Z:\\",
    "file:///home/me/ä%20b": "/umlaut",
  };
  const mapper = new PathMapper(folders);
  const both: readonly (readonly [client: string, adapter: string])[] = [
    ["/home/me/app/a.c", "/app/a.c"],
    ["/home/me/app", "/app"],
    ["/home/me/app/", "/app/"],
    ["/home/me/app//a.c", "/app//a.c"],
    ["/home/me/app/lib/b.c", "/usr/lib/app/b.c"],
    ["/home/me/app/libs/b.c", "/app/libs/b.c"],
    ["C:\\Work\\src\\a b.c", "/work/src/a b.c"],
    ["D:/data/x/y", "E:\\Data\\x\\y"],
    ["\\\\Server\\share\\a", "/mnt/share/a"],
    ["/root/a/b", "Z:\\a\\b"],
    ["/home/me/ä b/c d", "/umlaut/c d"],
    ["file:///home/me/app/a%20b.c", "file:///app/a%20b.c"],
    ["file:///C:/Work/%C3%A4.c", "file:///work/%C3%A4.c"],
    ["file:///D:/data/x", "file:///E:/Data/x"],
    ["file:///home/me/ä%20b/%63", "file:///umlaut/%63"],
    // Folder names must match in full.
    ["/home/me/application/a.c", "/home/me/application/a.c"],
    ["/home/me/ap", "/home/me/ap"],
    ["C:\\Workshop\\a", "C:\\Workshop\\a"],
    // Relative paths remain unchanged.
    ...["home/me/app/a.c", "", "a.c", "C:", "C:a", "--path=/home/me/app/a.c"].map(same),
    ...["http://home/me/app", "untitled:/home/me/app", "<eval>", "file:///%/me"].map(same),
  ];

  function same(text: string): readonly [string, string] {
    return [text, text];
  }

  for (const [client, adapter] of both)
    test(`the path ${client} is mapped to ${adapter} and back`, () => {
      assert.equal(mapper.pathToAdapter(client), adapter);
      assert.equal(mapper.pathToClient(adapter), client);
    });

  const toAdapter: readonly (readonly [client: string, adapter: string])[] = [
    ["c:/work/Src/a.c", "/work/Src/a.c"],
    ["c:\\WORK\\a.c", "/work/a.c"],
    ["/HOME/me/app/a.c", "/HOME/me/app/a.c"],
    ["file:///c%3A/work/a.c", "file:///work/a.c"],
    ["FILE:///home/me/app/a.c", "file:///app/a.c"],
    ["file://server/share/a", "file:///mnt/share/a"],
    ["file:///home/me/%61pp/a.c", "file:///app/a.c"],
  ];
  for (const [client, adapter] of toAdapter)
    test(`the path ${client} is mapped to ${adapter}`, () => {
      assert.equal(mapper.pathToAdapter(client), adapter);
    });

  test("a mapped folder may be an entire drive", () => {
    const disk = new PathMapper({ "C:": "/c", "/": "/host" });
    for (const [client, adapter] of [
      ["C:\\a", "/c/a"],
      ["C:\\", "/c/"],
      ["/a", "/host/a"],
      ["/", "/host/"],
      ["file:///C:/a", "file:///c/a"],
      ["file:///a", "file:///host/a"],
    ] as const) {
      assert.equal(disk.pathToAdapter(client), adapter);
      assert.equal(disk.pathToClient(adapter), client);
    }
  });

  test("unusable folders and pointers are refused", () => {
    const refusals: readonly (readonly [folders: Record<string, string>, text: string])[] = [
      [{ src: "/a" }, 'Cannot map the folder "src": expected an absolute path or a file URI'],
      [{ "/a": "" }, 'Cannot map the folder "": expected an absolute path or a file URI'],
      [
        { "file:///%": "/a" },
        'Cannot map the folder "file:///%": expected an absolute path or a file URI',
      ],
      [{ "/a": "/x", "/b": "/x/" }, 'Cannot map the folder "/x/" twice'],
      [{ "C:\\a": "/x", "c:/A": "/y" }, 'Cannot map the folder "c:/A" twice'],
    ];
    for (const [given, message] of refusals)
      assert.throws(() => new PathMapper(given), { name: "TypeError", message });
    assert.throws(() => new PathMapper({}, { launchPaths: ["program"] }), {
      message: 'Cannot use "program": expected a JSON Pointer',
    });
  });

  test("random paths are unchanged after mapping there and back", () => {
    const random = randomNumbers(7);
    const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
    const names = ["a", "b c", "ä😀", "lib", "app", "..", ".", "%", "x%2Fy", "#?", "'\"", "-"];
    const roots = [
      "/home/me/app",
      "/home/me/app/lib",
      "C:\\Work",
      "\\\\Server\\share",
      "/other",
      "D:/data",
      "Q:\\q",
    ];
    let changed = 0;
    for (let round = 0; round < 20_000; round++) {
      const root = pick(roots);
      const separator = root.includes("\\") ? "\\" : "/";
      const rest = Array.from({ length: random(4) }, () => pick(names));
      const path = [root, ...rest].join(separator);
      const uri = `file:///home/me/${["app", ...rest.map(encodeURIComponent)].join("/")}`;
      for (const each of [path, uri]) {
        const there = mapper.pathToAdapter(each);
        assert.equal(mapper.pathToClient(there), each, there);
        if (there !== each) changed++;
      }
    }
    assert.ok(changed > 20_000);
  });
});
