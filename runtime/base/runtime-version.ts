/** The version of this package. */
export const runtimeVersion = "0.1.0";

/** Thrown when generated code is loaded with a version of the runtime that it does not work with. */
export class RuntimeVersionError extends Error {
  override readonly name = "RuntimeVersionError";
  readonly code = "ERR_RUNTIME_VERSION";

  constructor(range: string) {
    super(
      `The generated code needs @wirewright/runtime ${range}, but ${runtimeVersion} is installed. Run \`npm install @wirewright/runtime@${range}\`, or generate the code again with wirewright ${runtimeVersion}`,
    );
  }
}

/**
 * Returns a value of generated code if the code works with this runtime.
 *
 * @param range The runtimes that it works with, such as `^0.1`.
 * @throws RuntimeVersionError if it does not work with this runtime.
 */
export function forRuntime<Value>(range: string, value: Value): Value {
  if (!isInRange(runtimeVersion, range)) throw new RuntimeVersionError(range);
  return value;
}

/** Returns whether a version is in a range such as `^0.1` or `^1.2`. */
export function isInRange(version: string, range: string): boolean {
  const [major, minor] = version.split(".").map(Number);
  const [leastMajor, leastMinor] = range.slice(1).split(".").map(Number);
  return major === leastMajor && (major === 0 ? minor === leastMinor : minor! >= leastMinor!);
}
