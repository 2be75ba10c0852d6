import { isBranded, setBrand } from "../base/branded-class.js";
import { textOfFault, type FrameFault } from "./frame-faults.js";

const noMessageBrand = /* @__PURE__ */ Symbol.for("wirewright.NoMessageError");

/** Thrown when a source contained bytes but no message. Check `code` for the reason. */
export class NoMessageError extends Error {
  override readonly name = "NoMessageError";
  readonly code = "ERR_NO_MESSAGE";
  /** The first fault. */
  readonly fault: FrameFault;

  /** @param length Number of bytes read. */
  constructor(fault: FrameFault, length: number) {
    const { code, sample } = fault;
    const text =
      code === "ERR_FRAMING" && sample.startsWith("{")
        ? `these are lines of JSON without Content-Length headers, as in a recording: ${sample}`
        : textOfFault(fault);
    super(`Cannot find a message in ${length} bytes: ${text}`);
    this.fault = fault;
    setBrand(this, noMessageBrand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, NoMessageError, noMessageBrand, value);
  }
}
