/** Whether a flag is announced: true, or a list with something in it. No flag at all needs no announcement. */
export function isAnnounced(flags: object | null | undefined, flag: string | undefined): boolean {
  if (flag === undefined) return true;
  if (flags === null || flags === undefined || !Object.hasOwn(flags, flag)) return false;
  const value = (flags as Readonly<Record<string, unknown>>)[flag];
  return value === true || (Array.isArray(value) && value.length > 0);
}

/** The flags after a change: what is listed takes its new value, everything else stays. Neither input is changed. */
export function mergeFlags<Flags extends object>(
  current: Flags | undefined,
  changed: Flags,
): Flags {
  return { ...current, ...changed };
}
