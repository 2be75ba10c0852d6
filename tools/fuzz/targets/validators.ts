import { hostileParts, hostileValue, unbuildable } from "../hostile-values.js";
import { parseJson } from "../mutate-json.js";
import { OracleFailure, type Target } from "../target.js";
import { sampleMessages } from "./sample-messages.js";

type Fields = Readonly<Record<string, unknown>>;

interface Validated {
  readonly ok: boolean;
  readonly issues?: readonly object[];
  readonly deviations?: readonly object[];
}

/** The interface that generated packages have in common. */
interface Package {
  readonly classify: (value: unknown) => { readonly status: string };
  readonly isValid: (value: unknown) => boolean;
  readonly validate: (value: unknown, options?: object) => Validated;
  readonly describeIssue: (issue: object) => string;
  readonly visitFields?: (message: object, visitors: object) => object;
  readonly dialects?: Readonly<Record<string, () => Dialect>>;
}

interface Dialect {
  read(value: unknown): unknown;
  write(message: object): object;
}

interface Pair {
  readonly name: string;
  readonly isValid: (value: unknown) => boolean;
  readonly validate: Package["validate"];
}

/**
 * How many randomly chosen type validators check each value, in addition to the message validators.
 */
const tried = 4;

/** Tests a package's validators, guards, dialects and `classify` with arbitrary values. */
function validatorTarget(name: string): Target {
  return {
    name: `validators-${name}`,
    about: `classify, guards and validators of the package ${name}, with values that JSON cannot represent`,
    format: "json",
    values: hostileParts,
    work: { base: 3_000_000, perByte: 5_000 },
    seeds: () => [...sampleMessages(name), ...hostileParts].map((each) => JSON.stringify(each)),
    async open(modules) {
      const generated = {
        ...(await modules<Fields>(`generated/${name}/index.js`)),
        ...(await modules<Package & Fields>(`generated/${name}/validate.js`)),
      };
      const pairs = pairsOf(generated);
      const guards = Object.entries(generated).filter(
        ([name, value]) =>
          /^is[A-Z]/.test(name) && !name.startsWith("isValid") && typeof value === "function",
      ) as [string, (value: unknown) => unknown][];
      const { isValid, validate } = generated;
      const whole: Pair = { name: "", isValid, validate };
      const read = Object.entries(generated.dialects ?? {});

      return {
        check(input, random) {
          const json = parseJson(input);
          if (json === undefined) return;
          const value = hostileValue(json);
          if (value === unbuildable) return;
          const { status } = generated.classify(value);
          const valid = checkPair(whole, value, generated.describeIssue);
          if (valid && status === "malformed")
            throw new OracleFailure("classify", "a valid message is malformed");
          for (let count = 0; count < tried; count++) {
            checkPair(random.pick(pairs), value, generated.describeIssue);
            random.pick(guards)[1](value);
          }
          if (read.length > 0) {
            const [, create] = random.pick(read);
            const dialect = create();
            dialect.read(value);
            dialect.read(value);
          }
          if (valid && typeof value === "object" && value !== null) visit(generated, value);
        },
      };
    },
  };
}

/** Visits a message's fields. Ignores exceptions thrown by the message's own getters. */
function visit({ visitFields }: Package, message: object): void {
  try {
    visitFields?.(message, {});
  } catch (error) {
    let isReadable = true;
    try {
      JSON.stringify(message);
    } catch {
      isReadable = false;
    }
    if (isReadable) throw error;
  }
}

function pairsOf(generated: Fields): readonly Pair[] {
  return Object.keys(generated).flatMap((key) => {
    const name = /^isValid([A-Z].*)$/.exec(key)?.[1];
    const validate = name === undefined ? undefined : generated[`validate${name}`];
    if (name === undefined || validate === undefined) return [];
    const isValid = generated[key] as Pair["isValid"];
    return [{ name, isValid, validate: validate as Pair["validate"] }];
  });
}

/** Checks that `isValid` and `validate` agree. Returns whether the value is valid. */
function checkPair(
  { name, isValid, validate }: Pair,
  value: unknown,
  describeIssue: Package["describeIssue"],
): boolean {
  const valid = isValid(value);
  const strict = validate(value);
  const wire = validate(value, { profile: "wire" });
  const first = validate(value, { maxIssues: 1 });
  const issues = [strict, wire, first].flatMap(({ issues = [], deviations = [] }) => [
    ...issues,
    ...deviations,
  ]);
  const sentences = issues.map(describeIssue);
  if (valid !== strict.ok || valid !== first.ok)
    throw new OracleFailure(
      "agree",
      `isValid${name}: ${valid}, validate${name}: ${strict.ok}, for one issue ${first.ok}: ${sentences[0] ?? ""}`,
      `${valid}`,
    );
  if (strict.ok && !wire.ok)
    throw new OracleFailure("profiles", `validate${name}: wire says ${sentences[0] ?? ""}`);
  if (!strict.ok && strict.issues!.length === 0)
    throw new OracleFailure("sentence", `validate${name} says no without an issue`);
  return valid;
}

/** The targets for packages that have validators. */
export const validators: readonly Target[] = [
  "dap",
  "acp-breakpoints",
  "sqltools",
  "ruby-debug-ide",
].map(validatorTarget);
