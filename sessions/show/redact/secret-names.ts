import type { SecretKind } from "./secrets.js";

/** Returns the kind of secret that a name indicates, or undefined if it does not indicate one. */
export function kindOfName(name: string): SecretKind | undefined {
  const words = wordsOf(name);
  if (hosts.has(words.replaceAll("_", ""))) return "host";
  if (users.has(words.replaceAll("_", ""))) return "user";
  return secret.test(words) && !harmless.test(words) ? "value" : undefined;
}

/**
 * Returns whether a property such as `env`, `environment`, `launchEnv` or `env_vars` contains
 * environment variables.
 */
export function isEnvironment(name: string): boolean {
  return /(?:^|_)env(?:iron|ironment)?s?(?:_?var(?:iable)?s)?$/.test(wordsOf(name));
}

/**
 * Names of properties, variables and options that hold a machine name. `users` lists those that
 * hold a user name.
 */
const hosts = new Set([
  "host",
  "hostname",
  "computername",
  "logonserver",
  "remotehost",
  "sshhost",
  "servername",
]);
const users = new Set(["user", "username", "logname", "userid", "login", "sshuser", "remoteuser"]);

/** Matches names whose ending indicates a secret. */
const secret =
  /(?:password|passwd|passphrase|secret|credentials?|api_?key|auth_?token|access_?token|(?:^|_)(?:pwd|pass|passwort|token|authorization|auth|cookie|dsn|jwt|bearer|pin|otp|(?:access|secret|private|account|shared|encryption|signing|license|master|auth|ssh|deploy)_?key|connection_?string|key_base))(?:_?\d+)?$/;

/** Matches names of tokens that are part of the protocol and thus not secret. */
const harmless =
  /(?:progress|done|result|cancell?ation|semantic|page|continuation|change|next)_?token$/;

/** Converts a name to lower case, with its words separated by `_`. */
function wordsOf(name: string): string {
  return name
    .slice(0, 128)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
}

/**
 * Returns whether an environment variable either does not identify a person or is recognised by
 * other means. Such a variable's value is not treated as a secret as a whole.
 */
export function isPlainVariable(variable: string): boolean {
  return plainVariables.test(variable) && kindOfName(variable) === undefined;
}

const plainVariables =
  /^(?:path|pathext|pwd|oldpwd|shell|comspec|shlvl|_|home|term\w*|colorterm|lang|language|lc_\w+|tz|tmpdir|tmp|temp|editor|visual|pager|display|os|windir|systemroot|systemdrive|processor_\w+|number_of_processors|node\w*|npm_\w*|ci|init_cwd|color|debian_frontend|xdg_\w+)$/i;
