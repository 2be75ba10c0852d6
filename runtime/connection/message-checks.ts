import * as option from "../base/check-options.js";
import {
  kindReaderOf,
  ownField,
  type AnyFields,
  type MessageKind,
} from "../protocol/message-fields.js";
import type { EnvelopeTable } from "../protocol/protocol-description.js";
import { describeIssue, InvalidMessageError } from "../validation/describe-issue.js";
import type { ValidateOptions, Validation, ValidationIssue } from "../validation/findings.js";

/**
 * How to check messages whose names the protocol defines. Other messages are not checked.
 *
 * - `wire`: refuse what the `wire` profile refuses, which tolerates deviations that occur with actual
 *   peers. A response may also contain the name of another request
 * - `strict`: refuse everything that the schema does not allow
 * - `report`: deliver everything, and report what `wire` would refuse to `onProblem`
 * - `off`: do not check
 */
export type MessageCheck = "wire" | "strict" | "report" | "off";

/** Checks an option that is a `MessageCheck`. */
export const messageCheckOption: option.OptionCheck = /* @__PURE__ */ option.oneOf(
  "wire",
  "strict",
  "report",
  "off",
);

/** Validates a value, which may be of any type. */
export type AnyValidator = (value: unknown, options?: ValidateOptions) => Validation<unknown>;

/** The validators of a protocol's messages. */
export interface MessageValidators {
  readonly validate: AnyValidator;
  /** Validators for responses, by request, if a response does not contain its request's name. */
  readonly responses?: { readonly [request: string]: AnyValidator };
  /** Validators for parameters that only the package's launch configurations describe, by request. */
  readonly parameters?: { readonly [request: string]: AnyValidator } | undefined;
}

/** The names of the messages to check. */
export interface CheckedNames {
  readonly requests: object;
  readonly events: object;
}

/** Maximum number of issues to list for a message. */
const maxMessageIssues = 3;

const justOne: ValidateOptions = { maxIssues: 1 };

/** The problem that an invalid message is reported as. */
export interface InvalidMessageProblem {
  readonly code: "ERR_INVALID_MESSAGE";
  readonly message: string;
  readonly subject: object;
  readonly issues: readonly ValidationIssue[];
}

/** Returns the options with which the validators of a mode list the issues of a message. */
export function optionsOf(mode: MessageCheck): ValidateOptions {
  return { profile: mode === "strict" ? "strict" : "wire", maxIssues: maxMessageIssues };
}

/** Returns the issues of a message, or undefined if it has none. */
export function findIssues(
  validate: AnyValidator,
  message: object,
  options: ValidateOptions,
): readonly ValidationIssue[] | undefined {
  // The strict profile is faster, because it does not list unknown fields.
  if (validate(message, justOne).ok) return undefined;
  const result = validate(message, options);
  return result.ok ? undefined : result.issues;
}

/** Creates the problem that an invalid message is reported as. */
export function invalidMessage(
  kind: MessageKind,
  name: string,
  subject: object,
  issues: readonly ValidationIssue[],
): InvalidMessageProblem {
  const message = textOfInvalid(kind, name, issues);
  return { code: "ERR_INVALID_MESSAGE", message, subject, issues };
}

/** Checks the messages that a connection receives or sends. */
export class MessageChecks {
  readonly #mode: Exclude<MessageCheck, "off">;
  readonly #options: ValidateOptions;
  readonly #validators: MessageValidators;
  readonly #names: CheckedNames;
  readonly #envelope: EnvelopeTable;
  readonly #report: (problem: InvalidMessageProblem) => void;
  readonly #kindOf: (message: AnyFields) => MessageKind | undefined;

  constructor(
    mode: Exclude<MessageCheck, "off">,
    validators: MessageValidators,
    names: CheckedNames,
    envelope: EnvelopeTable,
    report: (problem: InvalidMessageProblem) => void,
  ) {
    this.#mode = mode;
    this.#options = optionsOf(mode);
    this.#validators = validators;
    this.#names = names;
    this.#envelope = envelope;
    this.#report = report;
    this.#kindOf = kindReaderOf({ envelope });
  }

  /**
   * Returns the issues for which a message must not be delivered, or undefined if it may be.
   *
   * @param name The message's name. For a response, the name of its request.
   */
  refuse(
    kind: MessageKind,
    name: string,
    message: AnyFields,
  ): readonly ValidationIssue[] | undefined {
    if (!Object.hasOwn(kind === "event" ? this.#names.events : this.#names.requests, name))
      return undefined;
    const issues = this.#issuesOf(kind, name, message);
    if (issues === undefined || this.#mode !== "report") return issues;
    this.report(kind, name, message, issues);
    return undefined;
  }

  report(
    kind: MessageKind,
    name: string,
    subject: object,
    issues: readonly ValidationIssue[],
  ): void {
    this.#report(invalidMessage(kind, name, subject, issues));
  }

  /**
   * Checks a message of any kind that is about to be sent.
   *
   * @param request For a response, the name of its request.
   * @throws InvalidMessageError if the message must not be sent.
   */
  assert(message: AnyFields, request: string | undefined): void {
    const kind = this.#kindOf(message) ?? "event";
    const name =
      (kind === "response" ? request : undefined) ?? message[this.#envelope[kind].name ?? ""];
    const issues = typeof name === "string" ? this.refuse(kind, name, message) : undefined;
    if (issues !== undefined) throw new InvalidMessageError(issues);
  }

  #issuesOf(
    kind: MessageKind,
    name: string,
    message: AnyFields,
  ): readonly ValidationIssue[] | undefined {
    const validators = this.#validators;
    const { request, response } = this.#envelope;
    let validate = validators.validate;
    if (kind === "response") {
      const received = response.name && message[response.name];
      if (response.name !== undefined && received !== name) {
        const pointer = `/${response.name}`;
        if (this.#mode === "strict")
          return [{ pointer, code: "wrong-value", expected: JSON.stringify(name), received }];
        // Responses are matched by id alone, so a wrong name does no harm.
        message = { ...message, [response.name]: name };
      }
      validate = (ownField(validators.responses ?? {}, name) as AnyValidator) ?? validate;
    }
    const issues = findIssues(validate, message, this.#options);
    if (issues !== undefined) return issues;
    if (kind !== "request" || validators.parameters === undefined) return undefined;
    const validateParameters = ownField(validators.parameters, name) as AnyValidator | undefined;
    const parameters = validateParameters?.(message[request.payload] ?? {}, this.#options);
    return parameters === undefined || parameters.ok
      ? undefined
      : parameters.issues.map((issue) => ({
          ...issue,
          pointer: `/${request.payload}${issue.pointer}`,
        }));
  }
}

/** Creates the checks for a mode; undefined for `off`. */
export function createMessageChecks(
  mode: MessageCheck,
  ...parts: ConstructorParameters<typeof MessageChecks> extends [unknown, ...infer Parts]
    ? Parts
    : never
): MessageChecks | undefined {
  return mode === "off" ? undefined : new MessageChecks(mode, ...parts);
}

/** Describes an invalid message, as a sentence without a full stop. */
export function textOfInvalid(
  kind: MessageKind,
  name: string,
  issues: readonly ValidationIssue[],
): string {
  const subject = kind === "response" ? `response to "${name}"` : `${kind} "${name}"`;
  return `The ${subject} is invalid: ${issues.map(describeIssue).join("; ")}`;
}
