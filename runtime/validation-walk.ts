import { hasCharacters, isObject, maxNesting, type AnyFields } from "./validation-checks.js";
import type {
  ValidationDeviation,
  ValidationIssue,
  ValidationIssueCode,
  Tolerance,
} from "./validation.js";
import { linkRule, type PropertyNode, type RuleNode } from "./validation-node.js";
import type { MessageArm } from "./validation-rule.js";

/** Characters of a text that are shown. */
const shownCharacters = 80;

/** One walk along a value and the nodes of its rule, collecting what does not agree. */
export class Walk {
  readonly issues: ValidationIssue[] = [];
  readonly deviations: ValidationDeviation[] = [];
  readonly #tolerated: readonly Tolerance[];
  readonly #namesMatter: boolean;
  readonly #most: number;
  /** Keys and indexes from the value to the place being looked at, of which `at` are valid. */
  readonly #path: (string | number)[] = [];
  #done = false;

  /** @param most Issues, and deviations, to collect at most. */
  constructor(tolerated: readonly Tolerance[], most: number) {
    this.#tolerated = tolerated;
    this.#namesMatter = tolerated.includes("unknown-field");
    this.#most = Math.max(1, most);
  }

  /** Walks a value. Whatever it throws when it is read becomes an issue. */
  run(node: RuleNode, value: unknown): void {
    try {
      this.#visit(node, value, 0, 0);
    } catch {
      this.fail(this.#pointer(this.#path.length));
    }
  }

  /** Notes that a value could not be read. */
  fail(path: string): void {
    this.issues.push({
      path,
      code: "unreadable",
      expected: "a value that can be read",
      received: "an exception",
    });
  }

  #visit(node: RuleNode, value: unknown, at: number, depth: number): void {
    switch (node.kind) {
      case "any":
        return;
      case "null":
        if (value !== null) this.#report(node, value, at, "wrong-type");
        return;
      case "boolean":
        if (typeof value !== "boolean") this.#report(node, value, at, "wrong-type");
        return;
      case "string":
        if (typeof value !== "string") this.#report(node, value, at, "wrong-type");
        else if (!hasCharacters(value, node.least, node.greatest))
          this.#report(node, value, at, "wrong-size");
        return;
      case "number":
        if (typeof value !== "number" || !Number.isFinite(value))
          this.#report(node, value, at, "wrong-type");
        else if (value < node.least || value > node.greatest)
          this.#report(node, value, at, "out-of-range");
        return;
      case "integer":
        if (!Number.isInteger(value)) this.#report(node, value, at, "wrong-type");
        else if ((value as number) < node.least || (value as number) > node.greatest)
          this.#reportRange(node, value as number, at);
        return;
      case "value":
        if (value !== node.values[0]) this.#report(node, value, at, "wrong-value");
        return;
      case "oneOf":
        if (!node.values.includes(value as string)) this.#reportEnum(node, value, at);
        return;
      case "list":
        this.#visitList(node, value, at, depth);
        return;
      case "map":
        this.#visitMap(node, value, at, depth);
        return;
      case "object":
        this.#visitObject(node, value, at, node.recursive ? 0 : depth);
        return;
      case "anyOf":
        this.#visitAnyOf(node, value, at, depth);
        return;
      case "response":
        this.#visitResponse(node, value, at);
        return;
      case "message":
        this.#visitMessage(node, value, at);
        return;
      case "late":
        this.#visitLate(linkRule(node.late!()), value, at, depth);
    }
  }

  #visitObject(node: RuleNode, value: unknown, at: number, depth: number): void {
    if (!isObject(value)) {
      this.#report(node, value, at, "wrong-type");
      return;
    }
    const path = this.#path;
    for (const property of node.properties) {
      path.length = at;
      path[at] = property.name;
      const field =
        property.own && !Object.hasOwn(value, property.name) ? undefined : value[property.name];
      if (field === undefined) {
        if (property.required) this.#reportMissing(property, at + 1);
      } else if (property.part !== undefined || (field === null && !property.nullable)) {
        this.#visitSpecial(property, field, at + 1, depth);
      } else this.#visit(property.node, field, at + 1, depth);
      if (this.#done) return;
    }
    path.length = at;
    if (node.names === undefined || !(this.#namesMatter || node.closed)) return;
    for (const name of Object.keys(value)) {
      if (node.names.has(name)) continue;
      path[at] = name;
      this.#add({
        path: this.#pointer(at + 1),
        code: "unknown-field",
        expected: "no such field",
        received: receivedText(value[name]),
        rule: "unknown-field",
      });
      if (this.#done) return;
    }
    path.length = at;
  }

  /** A property with which peers take liberties. */
  #visitSpecial(property: PropertyNode, field: unknown, at: number, depth: number): void {
    const { node, part } = property;
    if (field === null && !property.nullable) {
      this.#report(node, field, at, "wrong-type", property.vital ? undefined : "null");
    } else if ((part === "id" || part === "replyTo") && field === 0 && node.least > 0) {
      this.#report(node, field, at, "out-of-range", "id-unset");
    } else if (part === "id" && node.kind === "integer" && isDigits(field)) {
      this.#report(node, field, at, "wrong-type", "id-text");
    } else this.#visit(node, field, at, depth);
  }

  #reportMissing({ node, part }: PropertyNode, at: number): void {
    const rule =
      part === "id"
        ? "id-unset"
        : part === "result"
          ? "success-body"
          : part === "error"
            ? "failure-body"
            : undefined;
    this.#report(node, undefined, at, "missing", rule);
  }

  #visitList(node: RuleNode, value: unknown, at: number, depth: number): void {
    if (!Array.isArray(value)) {
      this.#report(node, value, at, "wrong-type");
      return;
    }
    if (value.length < node.least || value.length > node.greatest)
      this.#report(node, value, at, "wrong-size");
    const child = node.child!;
    if (child.kind === "any") return;
    const each = this.#namesMatter ? undefined : node.each;
    const path = this.#path;
    for (let index = 0; index < value.length && !this.#done; index++) {
      const item: unknown = value[index];
      if (each !== undefined && each(item)) continue;
      path.length = at;
      path[at] = index;
      this.#visit(child, item, at + 1, depth);
    }
    path.length = at;
  }

  #visitMap(node: RuleNode, value: unknown, at: number, depth: number): void {
    if (!isObject(value)) {
      this.#report(node, value, at, "wrong-type");
      return;
    }
    const path = this.#path;
    for (const key of Object.keys(value)) {
      path.length = at;
      path[at] = key;
      this.#visit(node.child!, value[key], at + 1, depth);
      if (this.#done) return;
    }
    path.length = at;
  }

  #visitAnyOf(node: RuleNode, value: unknown, at: number, depth: number): void {
    // The member that comes nearest explains best: none that has nothing in common with the value.
    let nearest: Walk | undefined;
    for (const member of node.members) {
      const trial = new Walk(this.#tolerated, this.#most);
      for (let index = 0; index < at; index++) trial.#path[index] = this.#path[index]!;
      trial.#visit(member, value, at, depth);
      if (trial.issues.length === 0 && trial.deviations.length === 0) return;
      const isElsewhere = trial.issues.every(
        (issue) => issue.code !== "wrong-type" || issue.path !== this.#pointer(at),
      );
      if (isElsewhere && (nearest === undefined || trial.issues.length < nearest.issues.length))
        nearest = trial;
    }
    if (nearest === undefined) {
      this.#report(node, value, at, node.members.length === 0 ? "unknown-field" : "wrong-type");
      return;
    }
    for (const issue of [...nearest.issues, ...nearest.deviations])
      if (!this.#done) this.#add(issue);
  }

  #visitResponse(node: RuleNode, value: unknown, at: number): void {
    const failed =
      isObject(value) &&
      (node.byPresence ? value[node.failsBy] !== undefined : value[node.failsBy] === false);
    this.#visitObject((failed ? node.failure : node.success)!, value, at, 0);
  }

  #visitMessage(node: RuleNode, value: unknown, at: number): void {
    if (!isObject(value)) {
      this.#report(node, value, at, "wrong-type");
      return;
    }
    const arm = node.arms.find(({ when }) =>
      Object.entries(when).every(([field, test]) =>
        typeof test === "string" ? value[field] === test : (value[field] !== undefined) === test,
      ),
    );
    if (arm === undefined) {
      this.#reportKind(node.arms, value, at);
      return;
    }
    const name = arm.name === undefined ? undefined : value[arm.name];
    const known =
      typeof name === "string" && arm.known !== undefined && Object.hasOwn(arm.known, name);
    this.#visit(linkRule(known ? arm.known[name]! : arm.other), value, at, 0);
  }

  /** No arm holds: the field that tells kinds apart is wrong, if one field does. */
  #reportKind(arms: readonly MessageArm[], value: AnyFields, at: number): void {
    const [field = ""] = Object.keys(arms[0]!.when);
    const allowed = arms.flatMap(({ when: { [field]: test } }) =>
      typeof test === "string" ? [test] : [],
    );
    const received = value[field];
    if (allowed.length === arms.length) {
      this.#path[at] = field;
      this.#add({
        path: this.#pointer(at + 1),
        code:
          received === undefined
            ? "missing"
            : typeof received === "string"
              ? "not-in-enum"
              : "wrong-type",
        expected: `one of ${allowed.map((each) => JSON.stringify(each)).join(", ")}`,
        received: receivedText(received),
        allowed,
      });
      return;
    }
    const kinds = arms.map(({ when }) =>
      Object.entries(when)
        .map(([name, test]) =>
          typeof test === "string"
            ? `${name} ${JSON.stringify(test)}`
            : `${test ? "with" : "without"} ${name}`,
        )
        .join(" and "),
    );
    this.#add({
      path: this.#pointer(at),
      code: "wrong-value",
      expected: `a message ${kinds.join(", or ")}`,
      received: `one with ${Object.keys(value).slice(0, 8).join(", ") || "no fields"}`,
    });
  }

  #visitLate(node: RuleNode, value: unknown, at: number, depth: number): void {
    if (depth < maxNesting) {
      if (node.kind === "object") this.#visitObject(node, value, at, depth + 1);
      else this.#visit(node, value, at, depth + 1);
      return;
    }
    this.#add({
      path: this.#pointer(at),
      code: "too-deep",
      expected: `at most ${maxNesting} levels`,
      received: "one more",
    });
    // Whatever lies below was seen often enough, and a value may contain itself.
    this.#done = true;
  }

  #reportRange(node: RuleNode, value: number, at: number): void {
    const rule = Number.isSafeInteger(value) ? "integer-range" : undefined;
    this.#report(node, value, at, "out-of-range", rule);
  }

  #reportEnum(node: RuleNode, value: unknown, at: number): void {
    const isKind = node.values.some((each) => typeof each === typeof value);
    this.#add({
      path: this.#pointer(at),
      code: isKind ? "not-in-enum" : "wrong-type",
      expected: node.expected,
      received: receivedText(value),
      allowed: node.values,
      ...(isKind ? { rule: "closed-enum" } : {}),
    });
  }

  #report(
    node: RuleNode,
    value: unknown,
    at: number,
    code: ValidationIssueCode,
    rule?: Tolerance,
  ): void {
    const path = this.#pointer(at);
    const { expected } = node;
    const received = receivedText(value);
    this.#add(
      rule === undefined
        ? { path, code, expected, received }
        : { path, code, expected, received, rule },
    );
  }

  #add(issue: ValidationIssue): void {
    if (issue.rule !== undefined && this.#tolerated.includes(issue.rule)) {
      if (this.deviations.length < this.#most) this.deviations.push(issue as ValidationDeviation);
      return;
    }
    this.issues.push(issue);
    this.#done = this.issues.length >= this.#most;
  }

  /** JSON Pointer (RFC 6901) of the first keys of the path. */
  #pointer(length: number): string {
    let pointer = "";
    for (let index = 0; index < length; index++) {
      const key = this.#path[index]!;
      pointer += `/${typeof key === "number" || !/[~/]/.test(key) ? key : key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    }
    return pointer;
  }
}

function isDigits(value: unknown): boolean {
  return typeof value === "string" && /^[0-9]{1,15}$/.test(value);
}

/** What stands in a place: JSON of a primitive, or words. */
function receivedText(value: unknown): string {
  switch (typeof value) {
    case "undefined":
      return "nothing";
    case "string":
      return value.length <= shownCharacters
        ? JSON.stringify(value)
        : JSON.stringify(`${value.slice(0, shownCharacters)}…`);
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? `a list of ${value.length}` : "an object";
    case "bigint":
      return `${value}n`;
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    default:
      return String(value);
  }
}
