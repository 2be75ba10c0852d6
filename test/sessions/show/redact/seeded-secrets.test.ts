import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readProtocol } from "../../../../cli/index.js";
import { Redactor } from "../../../../sessions/show/redact/redactor.js";
import { Random } from "../../../support/random.js";
import { fromRoot } from "../../../support/paths.js";
import { launch, output } from "../../../support/redaction.js";

const dap = await readProtocol("dap");

const hex = (code: number, length: number): string => code.toString(16).padStart(length, "0");
const bytesOf = (text: string): readonly number[] => [...Buffer.from(text)];
const isPlain = (code: number): boolean => code > 0x1f && code < 0x7f;

/**
 * Returns the content of a string literal with special characters escaped as its language requires.
 */
function literal(text: string, quote: string, other: (character: string) => string): string {
  return Array.from(text, (each) =>
    each === "\\" || each === quote
      ? `\\${each}`
      : each === "\n"
        ? "\\n"
        : each === "\t"
          ? "\\t"
          : isPlain(each.codePointAt(0)!)
            ? each
            : other(each),
  ).join("");
}

const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const jsonAscii = (text: string): string =>
  json(text).replaceAll(/[^\0-\x7e]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
const octal = (text: string): string =>
  bytesOf(text)
    .map((byte) => `\\${byte.toString(8).padStart(3, "0")}`)
    .join("");

const spellings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  capitals: (text) => text.toUpperCase(),
  composed: (text) => text.normalize("NFC"),
  decomposed: (text) => text.normalize("NFD"),
  json,
  "json in json": (text) => json(json(text)),
  "json in json in json": (text) => json(json(json(text))),
  "json in ascii": jsonAscii,
  "json with slashes": (text) => json(text).replaceAll("/", "\\/"),
  percent: encodeURIComponent,
  "percent, twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "percent, small letters": (text) => encodeURIComponent(text).toLowerCase(),
  form: (text) => new URLSearchParams({ a: text }).toString().slice(2),
  "json in percent": (text) => encodeURIComponent(json(text)),
  base64: (text) => Buffer.from(text).toString("base64"),
  base64url: (text) => Buffer.from(text).toString("base64url"),
  "base64 in lines": (text) =>
    Buffer.from(text).toString("base64").replaceAll(/.{76}/g, "$&\n").trimEnd(),
  "base64 of utf-16": (text) => Buffer.from(text, "utf16le").toString("base64"),
  "base64 of a pair": (text) => Buffer.from(`someone:${text}`).toString("base64"),
  "base64 in percent": (text) => encodeURIComponent(Buffer.from(text).toString("base64")),
  "shell, in quotes": (text) => `'${text.replaceAll("'", "'\\''")}'`,
  "shell, by Python": (text) => `'${text.replaceAll("'", `'"'"'`)}'`,
  "shell, escaped": (text) => text.replaceAll(/[^\w\n/.:@%+,-]/gu, "\\$&"),
  "shell, of bytes": (text) => `$'${octal(text)}'`,
  "c, octal": octal,
  "c, hexadecimal": (text) =>
    bytesOf(text)
      .map((byte) => `\\x${hex(byte, 2)}`)
      .join(""),
  "c, by gdb": (text) => literal(text, '"', (each) => octal(each)),
  "repr of Python": (text) =>
    literal(text, "'", (each) => {
      const code = each.codePointAt(0)!;
      return code > 0xff ? each : `\\x${hex(code, 2)}`;
    }),
  "ascii of Python": (text) =>
    literal(text, "'", (each) => {
      const code = each.codePointAt(0)!;
      return code > 0xffff
        ? `\\U${hex(code, 8)}`
        : code > 0xff
          ? `\\u${hex(code, 4)}`
          : `\\x${hex(code, 2)}`;
    }),
  "repr of Python bytes": (text) =>
    literal(text, "'", (each) =>
      bytesOf(each)
        .map((byte) => `\\x${hex(byte, 2)}`)
        .join(""),
    ),
  "inspect of Ruby": (text) =>
    literal(text, '"', (each) => {
      const code = each.codePointAt(0)!;
      return code > 0xffff ? `\\u{${hex(code, 5)}}` : `\\u${hex(code, 4).toUpperCase()}`;
    }).replaceAll("#{", "\\#{"),
  "%+q of Go": (text) =>
    literal(text, '"', (each) => {
      const code = each.codePointAt(0)!;
      return code > 0xffff
        ? `\\U${hex(code, 8)}`
        : code > 0x7f
          ? `\\u${hex(code, 4)}`
          : `\\x${hex(code, 2)}`;
    }),
};

const random = new Random(1);
const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)]!;
const textOf = (characters: readonly string[], length: number): string =>
  Array.from({ length }, () => pick(characters)).join("");

const words = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];
const marks = [..."!#$%&'()*+,-./:;<=>?@[]^_`{|}~\"\\ "];
const foreign = [..."äöüéèñçøåßжыλω日本語한글🐛🔑\u{1d11e}"];

/** Creates a secret that is not part of another one. */
function secretOf(index: number): string {
  const core = `${textOf(words, 6)}${index}z`;
  return [
    () => `k${textOf(words, 20)}${core}`,
    () => `k${textOf([...words, ...marks], 16)}${core}`,
    () => `k${textOf([...words, ...foreign], 12)}${core}`,
    () => `k${textOf([...words, ...marks, ...foreign, "\n", "\t"], 14)}${core}`,
    () => `k${textOf(words, 120)}${core}`,
  ][index % 5]!();
}

/** Places in a session for secrets, text and names. */
const carriers: readonly ((secret: string) => object)[] = [
  (secret) => launch({ env: { APP_SETTING: secret } }),
  (secret) => launch({ environment: [{ name: "APP_SETTING", value: secret }] }),
  (secret) => launch({ environment: [`APP_SETTING=${secret}`] }),
  (secret) => launch({ launchEnv: { APP_SETTING: { deep: [secret] } } }),
  (secret) => launch({ environmentVariables: { A: [1, secret] } }),
  (secret) => launch({ connect: { password: secret } }),
  (secret) => launch({ deep: [{ dbPassword: secret }] }),
  (secret) => launch({ api_key: secret }),
  (secret) => launch({ headers: { Authorization: secret } }),
  (secret) => launch({ headers: [{ name: "X-Api-Key", value: secret }] }),
  (secret) => launch({ args: ["--db-password", secret] }),
  (secret) => launch({ credentials: { a: secret } }),
  (secret) => output(`password = ${JSON.stringify(secret)}`),
  (secret) => output(JSON.stringify({ a: JSON.stringify({ clientSecret: secret }) })),
  (secret) => output(`connecting to postgres://app:${encodeURIComponent(secret)}@127.0.0.1/db`),
];

/** Places that contain user and machine names. */
const namers: readonly ((secret: string) => object)[] = [
  (name) => output(`at /home/${name}/src/x.py:3`),
  (name) => output(`at C:\\Users\\${name}\\x.cs`),
  (name) => launch({ program: `/Users/${name}/x.py` }),
  (name) => launch({ env: { USER: name } }),
  (name) => output(`\\\\${name}\\share\\x`),
  (name) => output(`$ ssh -p 22 somebody@${name} uptime`),
  (name) => output(`fatal: ${name}@127.0.0.1:/srv/x`),
  (name) => output(`ssh://${name}@127.0.0.1:22/x`),
  (name) => launch({ host: name }),
];

/** Lists the message bodies of two recorded sessions. */
function recordedBodies(): readonly string[] {
  const bodies: string[] = [];
  for (const name of ["example-adapter/in", "example-adapter/out", "official-adapter/out"]) {
    const bytes = readFileSync(fromRoot(`test/fixtures/recordings/${name}.bin`));
    for (let at = 0; at < bytes.length;) {
      const [header, length] = /Content-Length: (\d+)\r\n\r\n/.exec(bytes.toString("latin1", at))!;
      const start = at + header.length;
      at = start + Number(length);
      bodies.push(bytes.toString("utf8", start, at));
    }
  }
  return bodies;
}

interface Place {
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

/** Lists where strings are in a message, leaving out its envelope. */
function* placesIn(value: unknown, depth = 0): Generator<Place> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, each] of Object.entries(value))
    if (typeof each === "string" && depth > 0)
      yield { holder: value as Record<string, unknown>, name };
    else yield* placesIn(each, depth + 1);
}

test("500 seeded secrets disappear from recordings in every encoding and place", (t) => {
  const secrets = Array.from({ length: 500 }, (_, index) =>
    index % 4 === 3 ? `q${textOf([..."abcdefghijkmnop"], 5)}${index}x` : secretOf(index),
  );
  const told = secrets.map((secret, index) =>
    index % 4 === 3
      ? namers[(index >> 2) % namers.length]!(secret)
      : carriers[index % carriers.length]!(secret),
  );
  const bodies = recordedBodies();
  const redactor = new Redactor(dap, {});
  let [places, changed, left] = [0, 0, 0];
  const missed: string[] = [];
  const wrong = new Set<string>();
  const planted: { readonly value: unknown; readonly spelled: string; readonly place: Place }[] =
    [];
  const untouched: object[] = [];
  for (const secret of secrets)
    for (const [, spell] of Object.entries(spellings)) {
      const value = JSON.parse(pick(bodies)) as object;
      const found = [...placesIn(value)];
      untouched.push(JSON.parse(JSON.stringify(value)) as object);
      const place = found.length > 0 ? pick(found) : { holder: {}, name: "output" };
      const spelled = spell(secret);
      place.holder[place.name] =
        `${(place.holder[place.name] as string | undefined) ?? ""} <${spelled}>`;
      planted.push({ value, spelled, place });
    }
  for (const value of told) redactor.find(value);
  for (const { value } of planted) redactor.find(value);
  const quick = new Map<string, string>();
  for (const { spelled, place } of planted) {
    const text = place.holder[place.name] as string;
    const key = `${place.name}\n${text}`;
    let result = quick.get(key);
    if (result === undefined)
      quick.set(
        key,
        (result = Object.values(redactor.redacted({ [place.name]: text }) as object)[0] as string),
      );
    const after = / <([^<>]*)>$/.exec(result)?.[1];
    const isHidden =
      /^[$']*(?:[A-Z]:)?\/?(?:[a-z]+:\/\/)?(?:redacted|user|host)-\d+[=']*(?:%3D)*$/i.test(
        after ?? "",
      ) ||
      // If the secret was part of an encoded pair, characters from that pair may remain around the
      // placeholder.
      /^[\w+/=-]{0,16}(?:redacted|user|host)-\d+[\w+/=%-]{0,3}$/.test(after ?? "");
    if (!isHidden || (spelled.length > 3 && result.includes(spelled))) {
      left++;
      if (missed.length < 20)
        missed.push(`${JSON.stringify(spelled)} → ${JSON.stringify(after ?? result)}`);
    }
  }
  for (const value of untouched)
    for (const { holder, name } of placesIn(value)) {
      places++;
      const text = holder[name] as string;
      const key = `${name}\n${text}`;
      let result = quick.get(key);
      if (result === undefined)
        quick.set(
          key,
          (result = Object.values(redactor.redacted({ [name]: text }) as object)[0] as string),
        );
      if (result === text) continue;
      changed++;
      if (wrong.size < 20) wrong.add(`${text} → ${result}`);
    }
  for (const [index, value] of told.entries())
    if (JSON.stringify(redactor.redacted(value)).includes(json(secrets[index]!))) {
      left++;
      missed.push(`in its place: ${JSON.stringify(value)}`);
    }
  t.diagnostic(
    `${planted.length} spelled secrets, ${left} left; ${changed} of ${places} other texts replaced`,
  );
  assert.equal(planted.length, secrets.length * Object.keys(spellings).length);
  assert.equal(left, 0, missed.join("\n"));
  assert.ok(
    places > 1000 && changed / places < 0.05,
    `${changed} of ${places}: ${[...wrong].join("\n")}`,
  );
});
