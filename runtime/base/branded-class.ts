/**
 * Whether a value is an instance of a class or of its namesake in another copy of the module: a package can be
 * loaded as ES modules, as CommonJS and in several bundles at once. Subclasses have no namesakes.
 *
 * @param asked The class that was asked, in `static [Symbol.hasInstance]`.
 * @param brand A property of the class's prototype, from `Symbol.for`.
 */
export function isBranded(asked: unknown, own: unknown, brand: symbol, value: unknown): boolean {
  if (asked !== own) return Function.prototype[Symbol.hasInstance].call(asked, value);
  return typeof value === "object" && value !== null && brand in value;
}
