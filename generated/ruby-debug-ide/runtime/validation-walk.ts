import {
  hasCharacters,
  isObject,
  isOfArm,
  maxNesting,
  type AnyFields,
} from "./validation-checks.js";
import type {
  Tolerance,
  ValidationDeviation,
  ValidationIssue,
  ValidationIssueCode,
} from "./validation.js";
import {
  kinds,
  linkRule,
  pointerStep,
  type PropertyNode,
  type RuleNode,
} from "./validation-node.js";
import type { MessageArm } from "./validation-rule.js";

/**
 * One walk along a value and the nodes of its rule, collecting what does not agree.
 *
 * It descends only where a check says no, so that its time goes with what is wrong.
 */
export class Walk {
  readonly issues: ValidationIssue[] = [];
  readonly deviations: ValidationDeviation[] = [];
  readonly #tolerated: readonly Tolerance[];
  readonly #namesMatter: boolean;
  readonly #most: number;
  /** Pointer of the object that is being read. */
  #reading = "";
  #done = false;
  /** Whether each property is looked at by itself, so that it is known which one cannot be read. */
  #careful = false;

  /**
   * @param namesMatter Whether unknown fields are to be found, also in what is valid.
   * @param most Issues, and deviations, to collect at most.
   */
  constructor(tolerated: readonly Tolerance[], namesMatter: boolean, most: number) {
    this.#tolerated = tolerated;
    this.#namesMatter = namesMatter;
    this.#most = most;
  }

  /**
   * Walks a value. Whatever it throws when it is read becomes an issue.
   *
   * @param faults Its faults, if they are known.
   */
  run(node: RuleNode, value: unknown, faults?: number): void {
    try {
      if (faults === undefined) this.#visit(node, value, "", 0);
      else this.#visitFaults(node, faults, value as AnyFields, "", 0);
    } catch {
      this.#runCarefully(node, value);
    }
  }

  #runCarefully(node: RuleNode, value: unknown): void {
    this.issues.length = 0;
    this.deviations.length = 0;
    this.#done = false;
    this.#careful = true;
    try {
      this.#visit(node, value, "", 0);
    } catch {
      this.fail(this.#reading);
    }
  }

  /** Notes that a value could not be read. */
  fail(path: string): void {
    this.issues.push({
      path,
      code: "unreadable",
      expected: "a value that can be read",
      received: undefined,
    });
  }

  #isMasked(node: RuleNode): boolean {
    return !this.#careful && isMasked(node, this.#namesMatter);
  }

  /** Whether a value surely needs no explanation. */
  #passes(node: RuleNode, value: unknown): boolean {
    switch (node.kind) {
      case kinds.any:
        return true;
      case kinds.null:
        return value === null;
      case kinds.boolean:
        return typeof value === "boolean";
      case kinds.string:
        return (
          typeof value === "string" &&
          (node.greatest === Infinity && node.least <= 0
            ? true
            : hasCharacters(value, node.least, node.greatest))
        );
      case kinds.number:
        return Number.isFinite(value) && isWithin(node, value as number);
      case kinds.integer:
        return Number.isInteger(value) && isWithin(node, value as number);
      case kinds.value:
        return value === node.values[0];
      case kinds.oneOf:
        return node.values.includes(value as string);
      case kinds.object:
        return this.#isMasked(node) && isObject(value) && node.faults!(value, 0) === 0;
      default:
        return false;
    }
  }

  #visit(node: RuleNode, value: unknown, path: string, depth: number): void {
    switch (node.kind) {
      case kinds.list:
        this.#visitList(node, value, path, depth);
        return;
      case kinds.map:
        this.#visitMap(node, value, path, depth);
        return;
      case kinds.object:
        this.#visitObject(node, value, path, node.recursive ? 0 : depth);
        return;
      case kinds.anyOf:
        this.#visitAnyOf(node, value, path, depth);
        return;
      case kinds.response:
        this.#visitResponse(node, value, path);
        return;
      case kinds.message:
        this.#visitMessage(node, value, path);
        return;
      case kinds.late:
        this.#visitLate(linkRule(node.late!()), value, path, depth);
        return;
      default:
        if (!this.#passes(node, value)) this.#reportPrimitive(node, value, path);
    }
  }

  #visitObject(node: RuleNode, value: unknown, path: string, depth: number): void {
    if (!isObject(value)) {
      this.#report(node, value, path, "wrong-type");
      return;
    }
    this.#reading = path;
    if (this.#isMasked(node))
      this.#visitFaults(node, node.faults!(value, depth), value, path, depth);
    else this.#visitAll(node, value, path, depth);
  }

  /** Looks at the properties that were found wrong. */
  #visitFaults(
    node: RuleNode,
    faults: number,
    value: AnyFields,
    path: string,
    depth: number,
  ): void {
    for (let rest = faults; rest !== 0 && !this.#done; rest &= rest - 1) {
      const index = 31 - Math.clz32(rest & -rest);
      if (index < sharedBit) {
        const property = node.properties[index]!;
        this.#visitField(property, fieldOf(value, property), path, depth);
        continue;
      }
      for (const property of node.properties.slice(sharedBit))
        if (!this.#done) this.#visitProperty(property, value, path, depth);
    }
  }

  #visitProperty(property: PropertyNode, value: AnyFields, path: string, depth: number): void {
    const field = fieldOf(value, property);
    if (field === undefined ? property.required : !this.#passes(property.node, field))
      this.#visitField(property, field, path, depth);
  }

  #visitAll(node: RuleNode, value: AnyFields, path: string, depth: number): void {
    for (const property of node.properties) {
      this.#visitProperty(property, value, path, depth);
      if (this.#done) return;
    }
    if (!node.closed && (node.free || !this.#namesMatter)) return;
    for (const name of Object.keys(value)) {
      if (node.byName.has(name)) continue;
      this.#add({
        path: path + pointerStep(name),
        code: "unknown-field",
        expected: "no such field",
        received: value[name],
        rule: "unknown-field",
      });
      if (this.#done) return;
    }
  }

  /** A property that is missing, wrong or not known to be right. */
  #visitField(property: PropertyNode, field: unknown, path: string, depth: number): void {
    const { node, part } = property;
    const place = path + property.step;
    if (field === undefined) {
      this.#report(node, field, place, "missing", missingPart[part!]);
    } else if (field === null && !property.nullable) {
      this.#report(node, field, place, "wrong-type", property.vital ? undefined : "null");
    } else if ((part === "id" || part === "replyTo") && field === 0 && node.least > 0) {
      this.#report(node, field, place, "out-of-range", "id-unset");
    } else if (part === "id" && node.kind === kinds.integer && isDigits(field)) {
      this.#report(node, field, place, "wrong-type", "id-text");
    } else this.#visit(node, field, place, depth);
  }

  #visitList(node: RuleNode, value: unknown, path: string, depth: number): void {
    if (!Array.isArray(value)) {
      this.#report(node, value, path, "wrong-type");
      return;
    }
    if (!isWithin(node, value.length)) this.#report(node, value, path, "wrong-size");
    const child = node.child!;
    if (child.kind === kinds.any) return;
    const isLate = child.kind === kinds.late && depth < maxNesting;
    const item = isLate ? linkRule(child.late!()) : child;
    if (this.#isMasked(item)) this.#visitObjects(item, value, path, isLate ? depth + 1 : 0);
    else this.#visitItems(child, value, path, depth);
  }

  #visitObjects(node: RuleNode, values: readonly unknown[], path: string, depth: number): void {
    for (let index = 0; index < values.length && !this.#done; index++) {
      const value = values[index];
      const faults = isObject(value) ? node.faults!(value, depth) : -1;
      if (faults === 0) continue;
      if (isObject(value)) this.#visitFaults(node, faults, value, `${path}/${index}`, depth);
      else this.#report(node, value, `${path}/${index}`, "wrong-type");
    }
  }

  #visitItems(node: RuleNode, values: readonly unknown[], path: string, depth: number): void {
    for (let index = 0; index < values.length && !this.#done; index++) {
      const value = values[index];
      if (!this.#passes(node, value)) this.#visit(node, value, `${path}/${index}`, depth);
    }
  }

  #visitMap(node: RuleNode, value: unknown, path: string, depth: number): void {
    if (!isObject(value)) {
      this.#report(node, value, path, "wrong-type");
      return;
    }
    this.#reading = path;
    for (const key of Object.keys(value)) {
      const field = value[key];
      if (!this.#passes(node.child!, field))
        this.#visit(node.child!, field, path + pointerStep(key), depth);
      if (this.#done) return;
    }
  }

  #visitAnyOf(node: RuleNode, value: unknown, path: string, depth: number): void {
    // The member that comes nearest explains best: none that has nothing in common with the value.
    let nearest: Walk | undefined;
    for (const member of node.members) {
      if (this.#passes(member, value)) return;
      const trial = new Walk(this.#tolerated, this.#namesMatter, this.#most);
      trial.#visit(member, value, path, depth);
      if (trial.issues.length === 0 && trial.deviations.length === 0) return;
      const isElsewhere = trial.issues.every(
        (issue) => issue.code !== "wrong-type" || issue.path !== path,
      );
      if (isElsewhere && (nearest === undefined || trial.issues.length < nearest.issues.length))
        nearest = trial;
    }
    if (nearest === undefined) {
      this.#report(node, value, path, node.members.length === 0 ? "unknown-field" : "wrong-type");
      return;
    }
    for (const issue of [...nearest.issues, ...nearest.deviations])
      if (!this.#done) this.#add(issue);
  }

  #visitResponse(node: RuleNode, value: unknown, path: string): void {
    this.#visitObject(outcomeOf(node, value), value, path, 0);
  }

  #visitMessage(node: RuleNode, value: unknown, path: string): void {
    if (!isObject(value)) {
      this.#report(node, value, path, "wrong-type");
      return;
    }
    const arm = node.arms.find((each) => isOfArm(each, value));
    if (arm === undefined) {
      this.#reportKind(node.arms, value, path);
      return;
    }
    const name = arm.name === undefined ? undefined : value[arm.name];
    const known =
      typeof name === "string" && arm.known !== undefined && Object.hasOwn(arm.known, name);
    this.#visit(linkRule(known ? arm.known[name]! : arm.other), value, path, 0);
  }

  #visitLate(node: RuleNode, value: unknown, path: string, depth: number): void {
    if (depth < maxNesting) {
      if (node.kind === kinds.object) this.#visitObject(node, value, path, depth + 1);
      else this.#visit(node, value, path, depth + 1);
      return;
    }
    this.#add({
      path,
      code: "too-deep",
      expected: `at most ${maxNesting} levels`,
      received: undefined,
    });
    // Whatever lies below was seen often enough, and a value may contain itself.
    this.#done = true;
  }

  /** Says why a value is not of a type without parts. */
  #reportPrimitive(node: RuleNode, value: unknown, path: string): void {
    switch (node.kind) {
      case kinds.string:
        this.#report(node, value, path, typeof value === "string" ? "wrong-size" : "wrong-type");
        return;
      case kinds.number:
        this.#report(node, value, path, Number.isFinite(value) ? "out-of-range" : "wrong-type");
        return;
      case kinds.integer:
        if (!Number.isInteger(value)) this.#report(node, value, path, "wrong-type");
        else {
          const rule = Number.isSafeInteger(value) ? "integer-range" : undefined;
          this.#report(node, value, path, "out-of-range", rule);
        }
        return;
      case kinds.value:
        this.#report(node, value, path, "wrong-value");
        return;
      case kinds.oneOf:
        this.#reportEnum(node, value, path);
        return;
      default:
        this.#report(node, value, path, "wrong-type");
    }
  }

  #reportEnum(node: RuleNode, value: unknown, path: string): void {
    const { expected, values: allowed } = node;
    const received = value;
    this.#add(
      typeof value === typeof allowed[0]
        ? { path, code: "not-in-enum", expected, received, allowed, rule: "closed-enum" }
        : { path, code: "wrong-type", expected, received, allowed },
    );
  }

  /** No arm holds: the field that tells kinds apart is wrong, if one field does. */
  #reportKind(arms: readonly MessageArm[], value: AnyFields, path: string): void {
    const [field = ""] = Object.keys(arms[0]!.when);
    const allowed = arms.flatMap(({ when: { [field]: test } }) =>
      typeof test === "string" ? [test] : [],
    );
    const received = value[field];
    if (allowed.length === arms.length) {
      const code = typeof received === "string" ? "not-in-enum" : "wrong-type";
      this.#add({
        path: path + pointerStep(field),
        code: received === undefined ? "missing" : code,
        expected: `one of ${allowed.map((each) => JSON.stringify(each)).join(", ")}`,
        received: received,
        allowed,
      });
      return;
    }
    const described = arms.map(({ when }) =>
      Object.entries(when)
        .map(([name, test]) =>
          typeof test === "string"
            ? `${name} ${JSON.stringify(test)}`
            : `${test ? "with" : "without"} ${name}`,
        )
        .join(" and "),
    );
    this.#add({
      path,
      code: "wrong-value",
      expected: `a message ${described.join(", or ")}`,
      received: value,
    });
  }

  #report(
    node: RuleNode,
    value: unknown,
    path: string,
    code: ValidationIssueCode,
    rule?: Tolerance,
  ): void {
    const { expected } = node;
    this.#add(
      rule === undefined
        ? { path, code, expected, received: value }
        : { path, code, expected, received: value, rule },
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
}

/** Whether the faults of an object are all that can be said of it. */
export function isMasked(node: RuleNode, namesMatter: boolean): boolean {
  return node.faults !== undefined && !node.closed && !namesMatter;
}

/** What a response must be, by what it says of itself. */
export function outcomeOf(node: RuleNode, value: unknown): RuleNode {
  const failed =
    isObject(value) &&
    (node.byPresence ? value[node.failsBy] !== undefined : value[node.failsBy] === false);
  return (failed ? node.failure : node.success)!;
}

/** Number of the bit that all further properties of an object share. */
const sharedBit = 29;

/** What makes up for a missing part of the envelope. */
const missingPart: { readonly [part: string]: Tolerance } = {
  id: "id-unset",
  result: "success-body",
  error: "failure-body",
};

function fieldOf(value: AnyFields, { name, own }: PropertyNode): unknown {
  return own && !Object.hasOwn(value, name) ? undefined : value[name];
}

function isWithin(node: RuleNode, value: number): boolean {
  return value >= node.least && value <= node.greatest;
}

function isDigits(value: unknown): boolean {
  return typeof value === "string" && /^[0-9]{1,15}$/.test(value);
}
