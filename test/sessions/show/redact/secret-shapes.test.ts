import assert from "node:assert/strict";
import { test } from "node:test";
import { SecretRedactor } from "../../../../sessions/show/redact/secret-redactor.js";

const secret = "k4711-SECRET-xyz";

/** Values that contain a secret in a way that is recognised. */
const recognised: readonly unknown[] = [
  { env: { A: secret } },
  { launchEnv: { A: { deep: [secret] } } },
  { db: { password: secret }, apiKey: secret },
  { name: "private_key", value: secret },
  ["--db-password", secret],
  `INFO: token: ${secret}`,
  `db:\n  password: ${secret}`,
  `$env:API_KEY = "${secret}"`,
  `redis://:${secret}@cache:6379/0`,
  `postgres://app:${secret}@127.0.0.1/db`,
  `mysql --password ${secret} -h x`,
  `Server=x;PWD={${secret}};`,
  `password := ${secret}`,
  `password\x1b[0m=\x1b[32m${secret}\x1b[0m`,
  `Authorization: Bearer ${secret}`,
  `curl -H "Bearer ${secret}"`,
  JSON.stringify({ clientSecret: secret }),
  `AKIA${"Q7".repeat(8)}`,
  `ghp_${"a1B2".repeat(9)}`,
  "eyJhbGciOi.eyJzdWIiOi.c2ln",
  `-----BEGIN PGP PRIVATE KEY BLOCK-----\n${secret.replaceAll("-", "")}\n-----END PGP PRIVATE KEY BLOCK-----`,
  `PuTTY-User-Key-File-3\nPrivate-Lines: 2\nk4711SECRETxyz\nk4711SECRETxyz\n`,
];

for (const value of recognised)
  test(`--only-secrets recognises ${JSON.stringify(value).slice(0, 60)}`, () => {
    const redactor = new SecretRedactor();
    const line = { seq: 1, type: "event", event: "output", body: value };
    redactor.find(line);
    assert.doesNotMatch(JSON.stringify(redactor.redacted(line)), /SECRET|AKIA|ghp_|eyJ|c2ln/);
  });

test("--only-secrets keeps everything else, and replaces a secret wherever it occurs", () => {
  const redactor = new SecretRedactor({ replace: ["/body/mine"], texts: ["project x"] });
  const line = {
    seq: 1,
    type: "event",
    event: "output",
    body: {
      output: "password: string, /home/alice/app.py, token count 5",
      progressToken: "p-17-progress",
      env: { A: secret },
      data: { [secret]: `is ${secret}, Project X`, mine: 7 },
      mine: ["one", 7],
    },
  };
  redactor.find(line);
  assert.deepEqual(redactor.redacted(line), {
    ...line,
    body: {
      ...line.body,
      env: { A: "secret-1" },
      data: { "secret-1": "is secret-1, secret-3", mine: 7 },
      mine: ["secret-2", 0],
    },
  });
  assert.deepEqual(redactor.counts, { replaced: 3, kept: 4, unmatched: [] });
});

test("--only-secrets takes linear time", () => {
  const redactor = new SecretRedactor();
  const texts = [
    "\\".repeat(100_000),
    "pass".repeat(50_000),
    "a:".repeat(100_000),
    "://a".repeat(50_000),
  ];
  const began = process.cpuUsage();
  for (const text of texts) redactor.find(text);
  for (const text of texts) redactor.redacted(text);
  const { user, system } = process.cpuUsage(began);
  assert.ok(user + system < 20_000_000, `${(user + system) / 1e6} s`);
});
