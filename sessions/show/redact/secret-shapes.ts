/** Returns whether a name, such as that of a property or variable, indicates a secret. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  return secretName.test(words) && !protocolToken.test(words);
}

/** Returns whether a property such as `env` or `launchEnv` contains environment variables. */
export function isEnvironment(name: string): boolean {
  return /(?:^|_)env(?:iron|ironment)?s?(?:_?var(?:iable)?s)?$/.test(wordsOf(name));
}

/** Yields the strings in a text that look like secrets. */
export function* secretsIn(text: string): Generator<string> {
  for (const [, name = "", double, single, bare] of text.matchAll(pair)) {
    const value = double ?? single ?? bare ?? "";
    if (isSecretName(name) && value !== "" && !placeholderValue.test(value)) yield value;
  }
  for (const [, name = "", value = ""] of text.matchAll(option))
    if (isSecretName(name) && !placeholderValue.test(value)) yield value;
  for (const [, user, password] of text.matchAll(credentials)) {
    if (user) yield user;
    if (password) yield password;
  }
  for (const shape of shapes) for (const [found] of text.matchAll(shape)) yield found;
}

const secretWord =
  "passw(?:or)?d|passwd|passphrase|passwort|pwd|secret|credential|api_?key|token|authorization|cookie|dsn|jwt|bearer|(?:access|private|account|shared|encryption|signing|license|master|auth|ssh|deploy)[_-]?key|connection_?string";

const secretName = new RegExp(`(?:${secretWord}|(?:^|_)(?:pass|pin|otp|auth))s?(?:_?\\d+)?$`);

/** Matches the names of tokens that are part of a protocol, and thus not secret. */
const protocolToken =
  /(?:progress|done|result|cancell?ation|semantic|page|continuation|change|next)_?token$/;

/** Matches a name that contains a secret word, and the value after it. */
const pair = new RegExp(
  `([\\w$-]{0,64}(?:${secretWord}|auth|pass|pin)[\\w-]{0,16})["'\\])}]{0,2}(?:\\x1b\\[[\\d;]*m)?\\s{0,3}(?:=>|:=|[:=])\\s{0,3}(?:\\x1b\\[[\\d;]*m)?(?:(?:Bearer|Basic|Token|Digest)\\s+)?(?:"([^"\\n]{1,4096})"|'([^'\\n]{1,4096})'|\\{?([^\\s"'\`,;&<>(){}[\\]|]{4,1024}))`,
  "gi",
);

/** Matches an option or a scheme, and the argument after it. */
const option = /(?<![\w-])(-{1,2}[a-z][\w-]{1,63}|Bearer)\s+["']?([^\s"'`,;&<>(){}[\]|]{4,1024})/gi;

/** Matches the user and password of a URL. */
const credentials = /:\/\/([^\s/:@"'<>\\]{0,256})(?::([^\s/@"'<>\\]{1,1024}))?@(?=[\w.-])/g;

/** Matches values that are not secrets: type names and placeholders. */
const placeholderValue =
  /^(?:string|str|number|int|integer|boolean|bool|bytes|object|any|unknown|optional|required|null|none|nil|undefined|true|false|is|was|bearer|basic|digest|\*+|<.*>|\$\{?.*\}?)$/i;

/** The forms of well-known services' keys, of web tokens, and of keys in text form. */
const shapes: readonly RegExp[] = [
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bgh[opsur]_[A-Za-z0-9]{36,255}\b/g,
  /\bgithub_pat_\w{22,255}\b/g,
  /\bglpat-[\w-]{20,255}/g,
  /\bxox[abeoprs]-[\w-]{10,255}/g,
  /\b[rs]k[-_](?:live_|test_|ant-|proj-)?[\w-]{20,255}/g,
  /\b(?:npm|hf|dop_v1|shpat|pat)_[A-Za-z0-9]{30,255}\b/g,
  /\bpypi-[\w-]{50,255}/g,
  /\bAIza[\w-]{35}/g,
  /\bSG\.[\w-]{16,64}\.[\w-]{16,64}/g,
  /\beyJ[\w-]{6,4096}\.[\w-]{6,8192}(?:\.[\w-]{0,1024})?/g,
  /-----BEGIN [A-Z ]{0,40}KEY(?: BLOCK)?-----[^-]{1,16384}-----END [A-Z ]{0,40}KEY(?: BLOCK)?-----/g,
  /\bPrivate-Lines: \d{1,4}\s(?:[A-Za-z\d+/=]{1,128}\s){1,64}/g,
];

/** Converts a name to lower case, with its words separated by `_`. */
function wordsOf(name: string): string {
  return name
    .slice(0, 128)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
}
