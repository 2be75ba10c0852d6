import type { AnyFields } from "./message-fields.js";

/** Whether a flag is announced: true, or a list with something in it. No flag at all needs no announcement. */
export function isAnnounced(flags: object | null | undefined, flag: string | undefined): boolean {
  if (flag === undefined) return true;
  if (flags === null || flags === undefined || !Object.hasOwn(flags, flag)) return false;
  return isSet((flags as AnyFields)[flag]);
}

function isSet(value: unknown): boolean {
  return value === true || (Array.isArray(value) && value.length > 0);
}

/** The flags after a change: what is listed takes its new value, everything else stays. Neither input is changed. */
export function mergeFlags<Flags extends object>(
  current: Flags | undefined,
  changed: Flags,
): Flags {
  return { ...current, ...changed };
}

/** Most flags of the other side that are kept, and most bytes of the messages they came in. */
const maxFlags = 1_000;
const maxFlagBytes = 16 * 1024 * 1024;

/**
 * The flags that the other side has announced so far.
 *
 * A change costs what it lists, however many flags there are: the object for readers is made when it is read.
 */
export class PeerCapabilities {
  readonly #flags = new Map<string, { readonly value: unknown; readonly bytes: number }>();
  #bytes = 0;
  #isKnown = false;
  #snapshot: object | undefined;

  /** Undefined before anything was announced. */
  get snapshot(): object | undefined {
    if (!this.#isKnown) return undefined;
    this.#snapshot ??= Object.fromEntries(
      [...this.#flags].map(([flag, { value }]) => [flag, value]),
    );
    return this.#snapshot;
  }

  has(flag: string | undefined): boolean {
    return flag === undefined || isSet(this.#flags.get(flag)?.value);
  }

  /**
   * Puts in what a message lists.
   *
   * @param bytes Length of that message: no value in it takes more.
   * @returns false if that would be more than is kept; nothing is changed then.
   */
  merge(changed: AnyFields, bytes: number): boolean {
    const entries = Object.entries(changed);
    let count = this.#flags.size;
    let total = this.#bytes;
    for (const [flag] of entries) {
      const known = this.#flags.get(flag);
      if (known === undefined) count++;
      total += bytes - (known?.bytes ?? 0);
    }
    if (count > maxFlags || total > maxFlagBytes) return false;
    for (const [flag, value] of entries) this.#flags.set(flag, { value, bytes });
    this.#bytes = total;
    this.#isKnown = true;
    this.#snapshot = undefined;
    return true;
  }
}
