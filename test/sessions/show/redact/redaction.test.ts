import assert from "node:assert/strict";
import { test } from "node:test";
import type { RedactOptions } from "../../../../sessions/show/redact/redactor.js";
import { launch, redacted } from "../../../support/redaction.js";

const cases: readonly {
  readonly about: string;
  readonly args: object;
  readonly want: object;
  readonly options?: RedactOptions;
}[] = [
  {
    about: "environment values in all their forms",
    args: { env: { TOKEN: "hunter2hunter2", A: "1", EMPTY: "", NO: null, N: 7 } },
    want: { env: { TOKEN: "redacted-1", A: "redacted-2", EMPTY: "", NO: null, N: 1 } },
  },
  {
    about: "lists of variables",
    args: { environment: [{ name: "TOKEN", value: "hunter2" }, { name: "B" }, "PASS=a=b", "C", 7] },
    want: {
      environment: [
        { name: "TOKEN", value: "redacted-1" },
        { name: "B" },
        "PASS=redacted-2",
        "C",
        1,
      ],
    },
  },
  {
    about: "a value wherever it occurs, in upper or lower case",
    args: {
      env: { T: "hunter2hunter2" },
      x: ["ahunter2hunter2b", "HUNTER2Hunter2"],
      "hunter2hunter2!": 1,
    },
    want: { env: { T: "redacted-1" }, x: ["aredacted-1b", "redacted-1"], "redacted-1!": 1 },
  },
  {
    about:
      "a short value only as a whole word, and a very short or common one only in its original place",
    args: {
      env: { A: "pass", B: "abc", C: "true", D: "4711" },
      x: "pass passed abc true 4711 \\npass",
    },
    want: {
      env: { A: "redacted-1", B: "redacted-2", C: "redacted-3", D: "redacted-4" },
      x: "redacted-1 passed abc true 4711 \\nredacted-1",
    },
  },
  {
    about: "paths, which remain paths with the same endings",
    args: {
      env: { P: "/opt/secret-place", W: "D:\\secret\\place" },
      x: "/opt/secret-place/bin/a.py:3",
    },
    want: { env: { P: "/redacted-1", W: "D:/redacted-2" }, x: "/redacted-1/bin/a.py:3" },
  },
  {
    about: "user names in paths, variables and elsewhere",
    args: {
      env: { HOME: "/home/alice", USER: "alice", PWD: "/home/alice/src" },
      x: [
        "/home/alice/x.py",
        "file:///Users/bob%20b/y",
        "alice@box",
        "malice",
        "C:\\Users\\Carl Carlson\\z",
        "Carl Carlson",
      ],
    },
    want: {
      env: { HOME: "/home/user-1", USER: "user-1", PWD: "/redacted-1" },
      x: [
        "/home/user-1/x.py",
        "file:///Users/user-2/y",
        "user-1@box",
        "malice",
        "C:\\Users\\user-3\\z",
        "user-3",
      ],
    },
  },
  {
    about: "names that are common words, but only in paths",
    args: { program: "/home/source/x", cwd: "/home/root/y", x: "source root" },
    want: { program: "/home/user-1/x", cwd: "/home/user-2/y", x: "source root" },
  },
  {
    about: "names of machines other than this one",
    args: {
      host: "build-7.corp",
      connect: { host: "127.0.0.1", port: 5 },
      x: "http://build-7.corp:80/",
    },
    want: { host: "host-1", connect: { host: "127.0.0.1", port: 5 }, x: "http://host-1:80/" },
  },
  {
    about: "values at given pointers: strings, numbers, and everything below them",
    args: {
      a: { b: ["one secret", 12_345, 7, true, null], c: 1 },
      x: "one secret 12345 7",
      y: 12_345,
      z: 7,
    },
    want: {
      a: { b: ["redacted-1", 1, 2, true, null], c: 1 },
      x: "redacted-1 redacted-2 7",
      y: 1,
      z: 7,
    },
    options: { pointers: ["/arguments/a/b"] },
  },
  {
    about: "pointers with asterisks and escapes",
    args: { list: [{ "v/~": "abc", w: "abc" }, { "v/~": "xyz" }], v: "abc" },
    want: { list: [{ "v/~": "redacted-1", w: "abc" }, { "v/~": "redacted-2" }], v: "abc" },
    options: { pointers: ["/arguments/list/*/v~1~0", "/nothing/*"] },
  },
  {
    about: "texts and names given as options",
    args: { x: "Project X of dora on box1", y: "threads" },
    want: { x: "redacted-1 of user-1 on host-1", y: "threads" },
    options: {
      texts: ["project x"],
      users: ["dora", "threads", "root"],
      hosts: ["box1", "localhost"],
      homes: [],
    },
  },
  {
    about: "variables given as numbers, nested, or in one string",
    args: {
      env: { PIN: 12345678, A: ["s3cr3t-in-list"], B: { C: "s3cr3t-nested" } },
      launchEnv: "TOKEN=hunter2hunter2 PIN='4 words of it'",
      x: ["12345678", 12345678, "s3cr3t-in-list s3cr3t-nested hunter2hunter2, 4 words of it"],
    },
    want: {
      env: { PIN: 1, A: ["redacted-1"], B: { C: "redacted-2" } },
      launchEnv: "redacted-3",
      x: ["redacted-4", 1, "redacted-1 redacted-2 redacted-5, redacted-6"],
    },
  },
  {
    about: "values whose names mark them as secrets, wherever they are",
    args: {
      db: { password: "hunter2hunter2", apiKey: 7, tokenCount: 5, progressToken: "p-17-progress" },
      args: ["--auth-token", "tok-4711-x", "--verbose", "Authorization: Bearer abc.def1"],
      variables: [
        { name: "secret", value: "'in quotes'" },
        { name: "password", value: "None" },
      ],
      x: ["hunter2hunter2", "tok-4711-x", "in quotes", "abc.def1", "password: string"],
    },
    want: {
      db: { password: "redacted-1", apiKey: 1, tokenCount: 5, progressToken: "p-17-progress" },
      args: ["--auth-token", "redacted-2", "--verbose", "Authorization: Bearer redacted-3"],
      variables: [
        { name: "secret", value: "redacted-4" },
        { name: "password", value: "None" },
      ],
      x: ["redacted-1", "redacted-2", "redacted-4", "redacted-3", "password: string"],
    },
  },
  {
    about: "users, passwords and machines in URLs, shares and commands",
    args: {
      x: [
        "postgres://app-owner:pa%24%24word@db7.corp/x",
        "\\\\filer-1\\projects\\x.c",
        "ssh://deploy@edge-1:22/",
        "scp x erin@build-9:/srv",
        "git@github.com:a/b.git",
      ],
      y: "app-owner pa$$word db7.corp filer-1 deploy edge-1 erin build-9",
    },
    want: {
      x: [
        "postgres://redacted-1:redacted-2@host-1/x",
        "\\\\host-2\\projects\\x.c",
        "ssh://user-1@host-3:22/",
        "scp x user-2@host-4:/srv",
        "git@github.com:a/b.git",
      ],
      y: "redacted-1 redacted-2 host-1 host-2 user-1 host-3 user-2 host-4",
    },
  },
  {
    about: "names with apostrophes, composed or decomposed",
    args: { x: ["/Users/erin.o'neil/x", "'/Users/zo\u00eb'", "/Users/zoe\u0308/y", "zoe"] },
    want: { x: ["/Users/user-1/x", "'/Users/user-2'", "/Users/user-2/y", "zoe"] },
  },
  {
    about: "text that looks like a key",
    args: { x: `ghp_${"a1B2".repeat(9)} AKIA${"Q7".repeat(8)} eyJhbGciOi.eyJzdWIiOi.c2ln` },
    want: { x: "redacted-1 redacted-2 redacted-3" },
  },
  {
    about: "the inherited environment, except values that reveal nothing",
    args: {
      x: "environ({'DEPLOY_NOTE': 'wednesday night', 'SHELL': '/bin/bash', 'DB_PIN': '9876'})",
    },
    want: { x: "environ({'DEPLOY_NOTE': 'redacted-1', 'SHELL': '/bin/bash', 'DB_PIN': '9876'})" },
    options: { environment: { DEPLOY_NOTE: "wednesday night", SHELL: "/bin/bash", MODE: "fast" } },
  },
];

for (const { about, args, want, options } of cases)
  test(`redact replaces ${about}`, () => {
    assert.deepEqual(redacted([launch(args)], options), [launch(want)]);
  });
