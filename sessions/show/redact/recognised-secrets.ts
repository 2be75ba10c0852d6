import { kindOfName } from "./secret-names.js";
import { unescapedText } from "./readings.js";
import type { SecretKind, Secrets } from "./secrets.js";

/**
 * Finds secrets that can be recognised in text without context: named values, URLs, hosts, and
 * strings that look like keys.
 */
export function findRecognisedSecrets(
  text: string,
  secrets: Secrets,
  isProtected: (word: string) => boolean,
) {
  const add = (found: string | undefined, kind: SecretKind): void => {
    if (found === undefined || isProtected(found)) return;
    if (kind === "host" ? plainHosts.test(found) : plainValues.test(found)) return;
    secrets.add(found, kind);
    if (found.includes("\\")) secrets.add(unescapedText(found), kind);
  };
  if (naming.test(text))
    for (const [, name = "", double, single, bare] of text.matchAll(assignment)) {
      const kind = isProtected(name) ? undefined : kindOfName(name);
      if (kind === "value") add(double ?? single ?? bare, kind);
    }
  if (text.includes("//"))
    for (const [, user, password, host] of text.matchAll(credentials)) {
      add(decodedPart(user), password === undefined ? "user" : "value");
      add(decodedPart(password), "value");
      add(host, "host");
    }
  if (text.includes("@"))
    for (const [, user, host] of text.matchAll(remote)) {
      if (user !== "git") add(user, "user");
      add(host, "host");
    }
  if (text.includes("\\\\")) for (const [, host] of text.matchAll(share)) add(host, "host");
  if (text.includes("smb:")) for (const [, host] of text.matchAll(samba)) add(host, "host");
  for (const shape of shapes) for (const [found] of text.matchAll(shape)) add(found, "value");
}

const naming = /pass|pwd|secret|token|key|auth|cred|cookie|dsn|jwt|connect|bearer|pin|otp/i;

/**
 * Matches a name and its value. The value is either quoted or extends to the next space or
 * separator. If there are spaces around `=`, an unquoted value must contain a digit, because it
 * might otherwise be an identifier in source code.
 */
const assignment =
  /(?<![\w-])-{0,2}([A-Za-z_][\w-]{1,63})["'\])]{0,3}(?:\s{0,3}(?:=>|[:=])\s{0,3}(?:(?:Bearer|Basic|Token|Digest)\s+)?(?:"((?:[^"\\\n]|\\.){1,4096})"|'((?:[^'\\\n]|\\.){1,4096})'|(?=[^\s=]*\d))|=|:\s{0,3}(?!\s))(?:(?:Bearer|Basic|Token|Digest)\s+)?([^\s"'`,;&<>(){}[\]|]{4,1024}(?=[\s"'`,;&<>)}\]|\\]|$))?/gi;

/** Matches the user, password and host of a URL such as `scheme://user:password@host`. */
const credentials = /:\/\/([^\s/:@"'<>\\]{1,256})(?::([^\s/@"'<>\\]{1,1024}))?@([\w.-]{1,253})/g;

/** Matches the user and host of a remote machine, as in `user@host:path` and `ssh user@host`. */
const remote =
  /(?:(?<=\b(?:ssh|scp|sftp|rsync|mosh)\s(?:[^\n@]{0,200}\s)?)|(?<![\w.+/@:-])(?=[\w.+-]{1,64}@[\w.-]{1,253}:[/~\w]))([a-z_][\w.+-]{0,63})@([a-z0-9][\w.-]{0,252})/gi;

/** Matches the host in a Windows network path such as `\\host\share`. */
const share = /(?<![\\\w:.])\\\\([a-z0-9][\w.-]{1,252})\\(?=[^\\\s])/gi;
const samba = /smb:\/\/(?:[^\s/@]{1,256}@)?([a-z0-9][\w.-]{0,252})/gi;

const plainHosts =
  /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|::1|wsl(?:\$|\.localhost)|(?:www\.)?(?:github|gitlab)\.com|bitbucket\.org)$/i;

/** Matches words that are not secret values: type names and placeholders. */
const plainValues =
  /^(?:string|str|number|int|integer|boolean|bool|bytes|object|any|unknown|optional|required|null|none|nil|undefined|true|false|bearer|basic|digest|\*+|<.*>|\$\{?.*\}?|(?:\w*:?\/+)?(?:redacted|user|host)-\d+)$/i;

/** Patterns for well-known services' keys, web tokens, and keys in PEM format. */
const shapes: readonly RegExp[] = [
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bgh[opsur]_[A-Za-z0-9]{36,255}\b/g,
  /\bgithub_pat_\w{22,255}\b/g,
  /\bglpat-[\w-]{20,255}/g,
  /\bxox[abeoprs]-[\w-]{10,255}/g,
  /\bsk[-_](?:live_|test_|ant-|proj-)?[\w-]{20,255}/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\bpypi-[\w-]{50,255}/g,
  /\bAIza[\w-]{35}/g,
  /\bSG\.[\w-]{16,64}\.[\w-]{16,64}/g,
  /\beyJ[\w-]{6,4096}\.[\w-]{6,8192}(?:\.[\w-]{0,1024})?/g,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{1,16384}-----END [A-Z ]{0,40}PRIVATE KEY-----/g,
];

function decodedPart(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
