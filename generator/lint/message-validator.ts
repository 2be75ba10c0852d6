import { createValidator, type Validator } from "../../runtime/index.js";
import type { Protocol } from "../model/protocol.js";
import { messageRuleOf } from "../model/validation-rules.js";

const validators = new WeakMap<Protocol, Validator<unknown>>();

/** Validates any message of a protocol: the same for all its sessions. */
export function messageValidatorOf(protocol: Protocol): Validator<unknown> {
  let validator = validators.get(protocol);
  if (validator === undefined)
    validators.set(protocol, (validator = createValidator(messageRuleOf(protocol))));
  return validator;
}
