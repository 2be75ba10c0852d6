/**
 * Returns whether a value is an instance of a class, including the same class from another copy of
 * the module: a package can be loaded as an ES module, as CommonJS and in several bundles at once.
 * Subclasses are checked with the ordinary `instanceof`.
 *
 * @param target The class on the right-hand side of `instanceof`.
 * @param brand The brand that the constructor passed to `setBrand`.
 */
export function isBranded(
  target: unknown,
  original: unknown,
  brand: symbol,
  value: unknown,
): boolean {
  if (target !== original) return Function.prototype[Symbol.hasInstance].call(target, value);
  return typeof value === "object" && value !== null && brand in value;
}

/**
 * Marks an instance for `isBranded`. The property is not part of the class's type, because it would
 * make the types of two copies of the class incompatible.
 *
 * @param brand A symbol from `Symbol.for`.
 */
export function setBrand(instance: object, brand: symbol): void {
  Object.defineProperty(instance, brand, { value: true });
}

/** Returns the message of a thrown value of any type. Never throws. */
export function textOfThrown(thrown: unknown): string {
  try {
    if (thrown instanceof Error && typeof thrown.message === "string") return thrown.message;
    return String(thrown);
  } catch {
    return "A value without a message was thrown";
  }
}
