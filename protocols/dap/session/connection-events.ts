import type { Connection } from "../../../generated/dap/connection.js";
import type { EventNameFrom } from "../../../generated/dap/maps.js";
import {
  InvalidMessageError,
  isObject,
  type Validator,
} from "../../../generated/dap/runtime/index.js";

/**
 * Adds a listener that is called with valid events only. Others go to `onProblem` of the connection,
 * as the `cause` of an `ERR_EVENT_HANDLER`.
 */
export function onValid<Event extends { readonly body?: unknown }>(
  connection: Connection<"client">,
  name: EventNameFrom<"adapter">,
  validate: Validator<Event>,
  listener: (body: Event["body"]) => void,
): void {
  connection.onCustom(name, (_, message) => {
    assertWire(validate, message);
    // The wire profile accepts null, here and inside.
    if (!isObject(message.body)) throw new TypeError(`The event "${name}" has no body`);
    listener(message.body);
  });
}

/** @throws InvalidMessageError if a value is not usable, even if deviations of real peers are accepted. */
export function assertWire<Type>(validate: Validator<Type>, value: unknown): asserts value is Type {
  const result = validate(value, { profile: "wire", maxIssues: 3 });
  if (!result.ok) throw new InvalidMessageError(result.issues);
}

/** Calls back when a connection has ended. */
export function whenClosed(
  { closed }: Connection<"client">,
  callback: (error: Error | undefined) => void,
): void {
  inBackground(closed.then(callback));
}

/** Lets a promise settle by itself. Use it where a failure is reported in another way. */
export function inBackground(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}
