import { isObject, type AnyFields } from "./message-fields.js";
import type { MessageFacts } from "./protocol-description.js";

/**
 * Returns whether a capability is set. Its value must be true, a number other than 0, an object, or
 * a non-empty array. If the flag itself is undefined, no capability is required. Nested flags are
 * written with a dot: `completionProvider.resolveProvider`.
 */
export function isAnnounced(flags: object | null | undefined, flag: string | undefined): boolean {
  if (flag === undefined) return true;
  if (!isObject(flags)) return false;
  if (Object.hasOwn(flags, flag)) return isSet(flags[flag]);
  const dot = flag.indexOf(".");
  const outer = flag.slice(0, dot);
  if (dot < 0 || !Object.hasOwn(flags, outer)) return false;
  const value = flags[outer];
  // If an outer flag is a number, it also announces the flags inside it.
  return typeof value === "number"
    ? isSet(value)
    : isAnnounced(value as AnyFields, flag.slice(dot + 1));
}

/**
 * Returns whether a message may be sent to a peer with these capabilities. False if no table has a
 * message with this name.
 *
 * @param tables Message tables; see `readMessageTable`.
 */
export function isSupported(
  flags: object | null | undefined,
  name: string,
  ...tables: readonly object[]
): boolean {
  const table = tables.find((each) => Object.hasOwn(each, name));
  if (table === undefined) return false;
  const { capability } = (table as { readonly [name: string]: MessageFacts })[name]!;
  return isAnnounced(flags, capability);
}

function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value === true || isObject(value) || (typeof value === "number" && value !== 0);
}

/** Merges changed capabilities into a copy of the current ones. */
export function mergeFlags<Flags extends object>(
  current: Flags | undefined,
  changed: Flags,
): Flags {
  return { ...current, ...changed };
}

/**
 * Limits on a peer's capabilities: how many there may be, and the total size of the messages that
 * set them.
 */
const maxFlags = 1_000;
const maxFlagBytes = 0x100_0000;

/**
 * The capabilities that the peer has announced so far.
 *
 * An update takes time linear in its own size. The merged object is created only when it is read.
 */
export class PeerCapabilities {
  readonly #flags = new Map<string, { readonly value: unknown; readonly bytes: number }>();
  #bytes = 0;
  #isKnown = false;
  #snapshot: object | undefined;

  /** The capabilities, or undefined until the peer has announced any. */
  get snapshot(): object | undefined {
    if (!this.#isKnown) return undefined;
    this.#snapshot ??= Object.fromEntries(
      [...this.#flags].map(([flag, { value }]) => [flag, value]),
    );
    return this.#snapshot;
  }

  has(flag: string | undefined): boolean {
    if (flag === undefined) return true;
    const name = this.#flags.has(flag) ? flag : flag.replace(/\..*/s, "");
    return isAnnounced({ [name]: this.#flags.get(name)?.value }, flag);
  }

  /**
   * Merges an update.
   *
   * @param bytes Length of the message, which is an upper bound on the size of its values.
   * @returns False if the update would exceed a limit. In that case, nothing is changed.
   */
  merge(changed: AnyFields, bytes: number): boolean {
    const entries = Object.entries(changed);
    let count = this.#flags.size;
    let total = this.#bytes;
    for (const [flag] of entries) {
      const previous = this.#flags.get(flag);
      if (previous === undefined) count++;
      total += bytes - (previous?.bytes ?? 0);
    }
    if (count > maxFlags || total > maxFlagBytes) return false;
    for (const [flag, value] of entries) this.#flags.set(flag, { value, bytes });
    this.#bytes = total;
    this.#isKnown = true;
    this.#snapshot = undefined;
    return true;
  }
}
