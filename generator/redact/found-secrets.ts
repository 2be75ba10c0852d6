import { isObject } from "../../runtime/index.js";
import type { SecretKind, Secrets } from "./secrets.js";

/** Names of properties with environment variables: an object, a list of names with values, or of `NAME=value`. */
const environments = new Set(["env", "environment"]);

/** Names of properties, and of environment variables, that hold the name of a machine or of a user. */
const hosts = new Set(["host", "hostname", "computername", "logonserver"]);
const users = new Set(["user", "username", "logname", "userid"]);

const loopback = /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|::1?|\[::1?\])$/i;

/** A folder of users, a name in it, and what may follow. Both slashes may be escaped or encoded. */
const home =
  /((?:\/|\\+)(?:home|users|documents and settings)(?:\/|\\+))([^\\/%"'`:;,<>|*?&#\s()[\]{}]{1,64}(?: [^\\/%"'`:;,<>|*?&#\s()[\]{}]{1,64}(?=[\\/])){0,3})/giu;

/** Names below such a folder that tell nothing of a person. */
const nobody = new Set(["public", "shared", "default", "all users", "..", "."]);

/** Names of users that tell nothing of a person. */
export const commonUsers: ReadonlySet<string> = new Set([
  ...["root", "user", "admin", "node", "runner", "vscode", "ubuntu"],
]);

/** Finds secrets in a value: the environment, users and machines. */
export function findSecrets(
  value: unknown,
  secrets: Secrets,
  protectedWords: ReadonlySet<string>,
): void {
  if (typeof value === "string") return findHomes(value, secrets, protectedWords);
  if (Array.isArray(value)) {
    for (const each of value) findSecrets(each, secrets, protectedWords);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, each] of Object.entries(value)) {
    findHomes(name, secrets, protectedWords);
    const key = name.toLowerCase();
    if (environments.has(key))
      for (const [variable, text] of variablesOf(each))
        findVariable(variable, text, secrets, protectedWords);
    else if (hosts.has(key) && typeof each === "string") addHost(each, secrets);
    findSecrets(each, secrets, protectedWords);
  }
}

/** Whether a property holds environment variables. */
export function isEnvironment(name: string): boolean {
  return environments.has(name.toLowerCase());
}

/** The variables of an environment, in any of its forms. */
function* variablesOf(value: unknown): Generator<readonly [name: string, text: string]> {
  if (Array.isArray(value)) {
    for (const each of value as readonly unknown[]) {
      if (typeof each === "string" && each.includes("=")) {
        const at = each.indexOf("=");
        yield [each.slice(0, at), each.slice(at + 1)];
      }
      if (isObject(each) && typeof each["value"] === "string")
        yield [typeof each["name"] === "string" ? each["name"] : "", each["value"]];
    }
  } else if (isObject(value)) {
    for (const [name, each] of Object.entries(value))
      if (typeof each === "string") yield [name, each];
  }
}

function findVariable(
  variable: string,
  text: string,
  secrets: Secrets,
  protectedWords: ReadonlySet<string>,
): void {
  const kind = kindOfVariable(variable);
  if (kind === "host") addHost(text, secrets);
  else if (!isHome(text) && !protectedWords.has(text.toLowerCase())) secrets.add(text, kind);
}

/** What the value of an environment variable is, by the name of the variable. */
export function kindOfVariable(variable: string): SecretKind {
  const name = variable.toLowerCase();
  return hosts.has(name) ? "host" : users.has(name) ? "user" : "value";
}

function addHost(text: string, secrets: Secrets): void {
  if (!loopback.test(text)) secrets.add(text, "host");
}

/** Whether a path is the home folder itself: the name of its user is enough to replace. */
export function isHome(text: string): boolean {
  // `exec` of the expression itself would go on behind its last match.
  const [found] = text.matchAll(home);
  return found !== undefined && found[0].length >= text.replace(/[\\/]+$/, "").length;
}

function findHomes(text: string, secrets: Secrets, protectedWords: ReadonlySet<string>): void {
  for (const [, above = "", user = ""] of decoded(text).matchAll(home)) {
    const name = user.replace(/\.+$/, "");
    const word = name.toLowerCase();
    if (nobody.has(word)) continue;
    const isWord = commonUsers.has(word) || protectedWords.has(word);
    secrets.addHome(above.replaceAll(/\\+/g, "\\"), name, isWord);
  }
}

/** Decodes what can be decoded. */
function decoded(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
