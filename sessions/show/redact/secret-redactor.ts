import { literalPattern } from "../../../generator/base/literal-pattern.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import { mapJson } from "./map-json.js";
import {
  below,
  hiddenText,
  isMarked,
  marksOf,
  type HiddenText,
  type Marks,
} from "./pointer-marks.js";
import type { RedactOptions, Redaction, RedactionCounts } from "./redactor.js";
import { isEnvironment, isSecretName, secretsIn } from "./secret-shapes.js";

/** Shorter strings are replaced only as whole values, not inside other strings. */
const minLength = 4;
/** Maximum number of secrets that are replaced wherever they occur. */
const maxSecrets = 10_000;

interface Context {
  /** Whether the value is a secret as a whole. */
  readonly isSecret: boolean;
  readonly marks: Marks;
}

/**
 * Replaces only what looks like a secret: values with such a name, environment variables, and
 * strings in the form of well-known keys. This helps, but guarantees nothing. `Redactor` does.
 */
export class SecretRedactor implements Redaction {
  readonly #marks: Marks;
  readonly #texts: readonly HiddenText[];
  readonly #unmatched: Set<string>;
  readonly #secrets = new Map<string, string>();
  #pattern: RegExp | undefined;
  #replaced = 0;
  #kept = 0;

  constructor({ replace, texts = [] }: Omit<RedactOptions, "keep"> = {}) {
    this.#marks = marksOf("--pointer", replace);
    this.#texts = texts.map(hiddenText);
    this.#unmatched = new Set([...this.#marks, ...this.#texts].map(({ option }) => option));
  }

  get counts(): RedactionCounts {
    return { replaced: this.#replaced, kept: this.#kept, unmatched: [...this.#unmatched] };
  }

  find(value: unknown): void {
    this.#map(value, (text, isSecret) => {
      if (isSecret) this.#placeholderOf(text);
      else for (const secret of secretsIn(text)) this.#placeholderOf(secret);
      return text;
    });
    this.#pattern = undefined;
  }

  redacted(value: unknown): unknown {
    return this.#map(value, (text, isSecret) => {
      const shown = isSecret && text !== "" ? this.#placeholderOf(text) : this.#without(text);
      if (shown === text) this.#kept++;
      else this.#replaced++;
      return shown;
    });
  }

  redactedText(text: string): string {
    for (const secret of secretsIn(text)) this.#placeholderOf(secret);
    return this.#without(text);
  }

  #map(value: unknown, string: (text: string, isSecret: boolean) => string): unknown {
    const message = isObject(value) && isObject(value["message"]) ? value["message"] : undefined;
    const start: Context = { isSecret: false, marks: message === undefined ? this.#marks : [] };
    return mapJson(value, start, {
      enter: (_, context) =>
        isMarked(context.marks, this.#unmatched) ? { ...context, isSecret: true } : context,
      inner: (name, each, parent, { isSecret, marks }) => {
        if (each === message && message !== undefined) return { isSecret, marks: this.#marks };
        const before = Array.isArray(parent) ? (parent as unknown[])[Number(name) - 1] : undefined;
        const label = isObject(parent) ? parent["name"] : undefined;
        return {
          isSecret:
            isSecret ||
            (Array.isArray(parent)
              ? typeof before === "string" && before.startsWith("-") && isSecretName(before)
              : isSecretName(name) ||
                isEnvironment(name) ||
                (name === "value" && typeof label === "string" && isSecretName(label))),
          marks: below(marks, name),
        };
      },
      string: (text, { isSecret }) => string(text, isSecret),
      number: (each, { isSecret }) => (isSecret ? 0 : each),
      key: (name) => this.#without(name),
    });
  }

  #placeholderOf(secret: string): string {
    let placeholder = this.#secrets.get(secret);
    if (placeholder === undefined) {
      placeholder = `secret-${this.#secrets.size + 1}`;
      this.#secrets.set(secret, placeholder);
      this.#pattern = undefined;
    }
    return placeholder;
  }

  #without(text: string): string {
    const shown = this.#texts.reduce((kept, { option, pattern, text: hidden }) => {
      if (kept.search(pattern) >= 0) this.#unmatched.delete(option);
      return kept.replace(pattern, () => this.#placeholderOf(hidden));
    }, text);
    this.#pattern ??= patternOf([...this.#secrets.keys()]);
    return shown.replace(this.#pattern, (secret) => this.#secrets.get(secret)!);
  }
}

/** Returns a pattern that matches any of the secrets, preferring the longest. */
function patternOf(secrets: readonly string[]): RegExp {
  const parts = secrets
    .filter(({ length }) => length >= minLength)
    .slice(0, maxSecrets)
    .sort((a, b) => b.length - a.length)
    .map(literalPattern);
  return new RegExp(parts.length === 0 ? "(?!)" : parts.join("|"), "g");
}
