import type { Connection } from "../../../generated/dap/connection.js";
import type { EventNameFrom } from "../../../generated/dap/maps.js";
import { InvalidMessageError, type Validator } from "@wirewright/runtime";

/**
 * Adds a listener that is called only with valid event bodies. Invalid bodies are reported to the
 * connection's `onProblem`, as the `cause` of an `ERR_EVENT_HANDLER`.
 */
export function onValid<Body>(
  connection: Connection<"client">,
  name: EventNameFrom<"adapter">,
  validate: Validator<Body>,
  listener: (body: Body) => void,
): void {
  connection.onCustom(name, (body) => {
    assertWire(validate, body);
    listener(body);
  });
}

/** @throws InvalidMessageError if the wire profile rejects the value. */
export function assertWire<Type>(validate: Validator<Type>, value: unknown): asserts value is Type {
  const result = validate(value, { profile: "wire", maxIssues: 3 });
  if (!result.ok) throw new InvalidMessageError(result.issues);
}

/** Calls a function once a connection has ended. */
export function whenClosed(
  { closed }: Connection<"client">,
  callback: (error: Error | undefined) => void,
): void {
  inBackground(closed.then(callback));
}

/** Ignores the outcome of a promise whose failure is reported in some other way. */
export function inBackground(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}
