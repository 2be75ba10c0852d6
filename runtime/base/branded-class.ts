/**
 * Returns whether a value is an instance of a class. This includes the same class from another copy
 * of the module, because a package can be loaded as an ES module, as CommonJS and in several
 * bundles at once. Subclasses are checked with the ordinary `instanceof`.
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
 * Marks an instance for `isBranded`. The class's type does not include this property, because it
 * would differ between copies of the class's declaration.
 *
 * @param brand A symbol from `Symbol.for`.
 */
export function setBrand(instance: object, brand: symbol): void {
  Object.defineProperty(instance, brand, { value: true });
}
