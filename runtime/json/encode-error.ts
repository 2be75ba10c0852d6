import { isBranded, setBrand } from "../base/errors.js";
import { pointerStep } from "../base/json-pointer.js";

/** Why a message cannot be encoded. */
export type EncodeErrorCode =
  | "ERR_ENCODE_NOT_OBJECT"
  | "ERR_ENCODE_BIGINT"
  | "ERR_ENCODE_CYCLE"
  | "ERR_ENCODE_TOJSON"
  | "ERR_ENCODE_NAME"
  | "ERR_ENCODE_FIELD"
  | "ERR_ENCODE_LINE"
  | "ERR_ENCODE_REFUSED";

const encodeErrorBrand = /* @__PURE__ */ Symbol.for("wirewright.EncodeError");

/** Thrown when a message cannot be encoded. Check `code` for the reason. */
export class EncodeError extends TypeError {
  override readonly name = "EncodeError";
  readonly code: EncodeErrorCode;
  /** JSON Pointer to the offending value. */
  readonly pointer: string;

  constructor(code: EncodeErrorCode, message: string, pointer: string, cause?: unknown) {
    super(
      pointer === "" ? message : `${message}, at ${pointer}`,
      cause === undefined ? undefined : { cause },
    );
    this.code = code;
    this.pointer = pointer;
    setBrand(this, encodeErrorBrand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, EncodeError, encodeErrorBrand, value);
  }
}

/** Finds the value that made `JSON.stringify` fail. */
export function explainEncodeFailure(message: object, error: unknown): EncodeError {
  const above = new Set<object>();
  // Use an explicit stack, because the message may be nested more deeply than the call stack
  // allows.
  const stack: { value: unknown; path: string; leave?: object }[] = [{ value: message, path: "" }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { path, leave } = next;
    if (leave !== undefined) {
      above.delete(leave);
      continue;
    }
    let { value } = next;
    if (
      typeof value === "bigint" &&
      typeof (BigInt.prototype as { toJSON?: unknown }).toJSON !== "function"
    ) {
      return new EncodeError("ERR_ENCODE_BIGINT", "Cannot send a BigInt", path, error);
    }
    if (typeof value !== "object" || value === null) continue;
    if (above.has(value))
      return new EncodeError(
        "ERR_ENCODE_CYCLE",
        "Cannot send an object that contains itself",
        path,
        error,
      );
    above.add(value);
    stack.push({ value: undefined, path, leave: value });
    try {
      const { toJSON } = value as { toJSON?: unknown };
      if (typeof toJSON === "function") {
        value = toJSON.call(value, path.slice(path.lastIndexOf("/") + 1)) as unknown;
        stack.push({ value, path });
        continue;
      }
      for (const [key, child] of Object.entries(value as object).reverse()) {
        stack.push({ value: child, path: path + pointerStep(key) });
      }
    } catch (thrown) {
      return new EncodeError(
        "ERR_ENCODE_TOJSON",
        "Cannot send a value that cannot be read",
        path,
        thrown,
      );
    }
  }
  return new EncodeError(
    "ERR_ENCODE_TOJSON",
    `Cannot send the message: ${(error as Error).message}`,
    "",
    error,
  );
}
