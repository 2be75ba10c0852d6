import assert from "node:assert/strict";
import { test } from "node:test";
import type { RedactOptions } from "../../../../sessions/show/redact/redactor.js";
import { launch } from "../../../support/secret-messages.js";
import { redacted } from "../../../support/redacted-values.js";

const cases: readonly (readonly [
  about: string,
  args: object,
  want: object,
  options?: RedactOptions,
])[] = [
  [
    "environment values in all their forms",
    { env: { TOKEN: "hunter2hunter2", A: "1", EMPTY: "", NO: null, N: 7 } },
    { env: { TOKEN: "redacted-1", A: "redacted-2", EMPTY: "", NO: null, N: 1 } },
  ],
  [
    "lists of variables",
    { environment: [{ name: "TOKEN", value: "hunter2" }, { name: "B" }, "PASS=a=b", "C", 7] },
    {
      environment: [
        { name: "TOKEN", value: "redacted-1" },
        { name: "B" },
        "PASS=redacted-2",
        "C",
        1,
      ],
    },
  ],
  [
    "a value wherever it occurs, in upper or lower case",
    {
      env: { T: "hunter2hunter2" },
      x: ["ahunter2hunter2b", "HUNTER2Hunter2"],
      "hunter2hunter2!": 1,
    },
    { env: { T: "redacted-1" }, x: ["aredacted-1b", "redacted-1"], "redacted-1!": 1 },
  ],
  [
    "a short value only as a whole word, and a very short or common one only in its original place",
    { env: { A: "pass", B: "abc", C: "true", D: "4711" }, x: "pass passed abc true 4711 \\npass" },
    {
      env: { A: "redacted-1", B: "redacted-2", C: "redacted-3", D: "redacted-4" },
      x: "redacted-1 passed abc true 4711 \\nredacted-1",
    },
  ],
  [
    "paths, which remain paths with the same endings",
    { env: { P: "/opt/secret-place", W: "D:\\secret\\place" }, x: "/opt/secret-place/bin/a.py:3" },
    { env: { P: "/redacted-1", W: "D:/redacted-2" }, x: "/redacted-1/bin/a.py:3" },
  ],
  [
    "user names in paths, variables and elsewhere",
    {
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
    {
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
  ],
  [
    "names that are common words, but only in paths",
    { program: "/home/source/x", cwd: "/home/root/y", x: "source root" },
    { program: "/home/user-1/x", cwd: "/home/user-2/y", x: "source root" },
  ],
  [
    "names of machines other than this one",
    { host: "build-7.corp", connect: { host: "127.0.0.1", port: 5 }, x: "http://build-7.corp:80/" },
    { host: "host-1", connect: { host: "127.0.0.1", port: 5 }, x: "http://host-1:80/" },
  ],
  [
    "values at given pointers: strings, numbers, and everything below them",
    {
      a: { b: ["one secret", 12_345, 7, true, null], c: 1 },
      x: "one secret 12345 7",
      y: 12_345,
      z: 7,
    },
    { a: { b: ["redacted-1", 1, 2, true, null], c: 1 }, x: "redacted-1 redacted-2 7", y: 1, z: 7 },
    { pointers: ["/arguments/a/b"] },
  ],
  [
    "pointers with asterisks and escapes",
    { list: [{ "v/~": "abc", w: "abc" }, { "v/~": "xyz" }], v: "abc" },
    { list: [{ "v/~": "redacted-1", w: "abc" }, { "v/~": "redacted-2" }], v: "abc" },
    { pointers: ["/arguments/list/*/v~1~0", "/nothing/*"] },
  ],
  [
    "texts and names given as options",
    { x: "Project X of dora on box1", y: "threads" },
    { x: "redacted-1 of user-1 on host-1", y: "threads" },
    {
      texts: ["project x"],
      users: ["dora", "threads", "root"],
      hosts: ["box1", "localhost"],
      homes: [],
    },
  ],
  [
    "variables given as numbers, nested, or in one string",
    {
      env: { PIN: 12345678, A: ["s3cr3t-in-list"], B: { C: "s3cr3t-nested" } },
      launchEnv: "TOKEN=hunter2hunter2 PIN='4 words of it'",
      x: ["12345678", 12345678, "s3cr3t-in-list s3cr3t-nested hunter2hunter2, 4 words of it"],
    },
    {
      env: { PIN: 1, A: ["redacted-1"], B: { C: "redacted-2" } },
      launchEnv: "redacted-3",
      x: ["redacted-4", 1, "redacted-1 redacted-2 redacted-5, redacted-6"],
    },
  ],
  [
    "values whose names mark them as secrets, wherever they are",
    {
      db: { password: "hunter2hunter2", apiKey: 7, tokenCount: 5, progressToken: "p-17-progress" },
      args: ["--auth-token", "tok-4711-x", "--verbose", "Authorization: Bearer abc.def1"],
      variables: [
        { name: "secret", value: "'in quotes'" },
        { name: "password", value: "None" },
      ],
      x: ["hunter2hunter2", "tok-4711-x", "in quotes", "abc.def1", "password: string"],
    },
    {
      db: { password: "redacted-1", apiKey: 1, tokenCount: 5, progressToken: "p-17-progress" },
      args: ["--auth-token", "redacted-2", "--verbose", "Authorization: Bearer redacted-3"],
      variables: [
        { name: "secret", value: "redacted-4" },
        { name: "password", value: "None" },
      ],
      x: ["redacted-1", "redacted-2", "redacted-4", "redacted-3", "password: string"],
    },
  ],
  [
    "users, passwords and machines in URLs, shares and commands",
    {
      x: [
        "postgres://app-owner:pa%24%24word@db7.corp/x",
        "\\\\filer-1\\projects\\x.c",
        "ssh://deploy@edge-1:22/",
        "scp x erin@build-9:/srv",
        "git@github.com:a/b.git",
      ],
      y: "app-owner pa$$word db7.corp filer-1 deploy edge-1 erin build-9",
    },
    {
      x: [
        "postgres://redacted-1:redacted-2@host-1/x",
        "\\\\host-2\\projects\\x.c",
        "ssh://user-1@host-3:22/",
        "scp x user-2@host-4:/srv",
        "git@github.com:a/b.git",
      ],
      y: "redacted-1 redacted-2 host-1 host-2 user-1 host-3 user-2 host-4",
    },
  ],
  [
    "names with apostrophes, composed or decomposed",
    { x: ["/Users/erin.o'neil/x", "'/Users/zo\u00eb'", "/Users/zoe\u0308/y", "zoe"] },
    { x: ["/Users/user-1/x", "'/Users/user-2'", "/Users/user-2/y", "zoe"] },
  ],
  [
    "text that looks like a key",
    { x: `ghp_${"a1B2".repeat(9)} AKIA${"Q7".repeat(8)} eyJhbGciOi.eyJzdWIiOi.c2ln` },
    { x: "redacted-1 redacted-2 redacted-3" },
  ],
  [
    "the inherited environment, except values that reveal nothing",
    { x: "environ({'DEPLOY_NOTE': 'wednesday night', 'SHELL': '/bin/bash', 'DB_PIN': '9876'})" },
    { x: "environ({'DEPLOY_NOTE': 'redacted-1', 'SHELL': '/bin/bash', 'DB_PIN': '9876'})" },
    { environment: { DEPLOY_NOTE: "wednesday night", SHELL: "/bin/bash", MODE: "fast" } },
  ],
];

for (const [about, args, want, options] of cases)
  test(`redact replaces ${about}`, () => {
    assert.deepEqual(redacted([launch(args)], options), [launch(want)]);
  });
