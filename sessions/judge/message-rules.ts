import { ruleFamily } from "./rule-family.js";
import { describeIssue } from "../../runtime/validation/describe-issue.js";
import type { ValidationIssue } from "../../runtime/index.js";
import { wireTolerances } from "../../runtime/validation/findings.js";
import { parsePointer } from "../../runtime/base/json-pointer.js";
import { nearestText as nearest } from "../../runtime/base/nearest-text.js";
import { getField } from "../../runtime/base/own-fields.js";
import { flattenProperties } from "../../generator/model/properties.js";
import { typeAt } from "../../generator/model/type-at.js";
import type { Fields } from "../read/message-reader.js";
import type { JudgedMessage } from "./judged-message.js";
import type { JudgedProtocol } from "./judged-protocol.js";
import { pointerOf } from "./parts-walk.js";

export const streamRules = ruleFamily({
  rules: {
    "stream.noise": {
      severity: "warning",
      docs: "The stream contains bytes that do not belong to a message. Strict readers stop there.",
    },
    "stream.fault": {
      severity: "error",
      docs: "A frame cannot be read, and its message is lost.",
    },
  },
  checkOther({ fault }, report) {
    if (fault === undefined) return;
    const { code, message, sample } = fault;
    const rule = code === "ERR_NOISE" ? "stream.noise" : "stream.fault";
    report(rule, "", sample === undefined ? message : `${message}: ${JSON.stringify(sample)}`);
  },
});

/** Maximum number of issues to report for one message. */
const maxIssues = 20;

const tolerances = { strict: ["unknown-field"], wire: wireTolerances } as const;

/**
 * Minimum length of an unknown name for which to look for a typo. Shorter names resemble too many
 * others.
 */
const minNameLength = 4;

export const schemaRules = ruleFamily({
  rules: {
    "schema.issue": {
      severity: "error",
      docs: "Part of the message is invalid, and readers cannot use it.",
    },
    "schema.deviation": {
      severity: "warning",
      docs: "Part of the message deviates from the schema. Tolerant readers accept it, but strict readers reject it.",
    },
    "schema.misspelt": {
      severity: "warning",
      docs: "A property is not in the schema, but its name resembles that of an absent property.",
    },
  },
  checkMessage(message, { profile, judged }, report) {
    const { fields, definition, kind, hasFailed } = message;
    for (const [field, type] of wrongEnvelopeFields(message))
      report("schema.issue", `/${field}`, `must be a ${type}`);
    const validate =
      kind === "response" && !hasFailed && definition !== undefined
        ? (judged.validateResponse(definition) ?? judged.validate)
        : judged.validate;
    const result = validate(fields, { tolerate: tolerances[profile], maxIssues });
    if (!result.ok) {
      for (const issue of result.issues) report("schema.issue", issue.pointer, sentenceOf(issue));
      return;
    }
    for (const deviation of result.deviations) {
      if (deviation.rule === "unknown-field") {
        const meant = meantProperty(deviation.pointer, definition, fields, judged);
        if (meant !== undefined)
          report(
            "schema.misspelt",
            deviation.pointer,
            `The schema does not define this property: did you mean "${meant}"?`,
          );
        continue;
      }
      const effect = `readers that tolerate "${deviation.rule}" accept the message, but other readers reject it`;
      report("schema.deviation", deviation.pointer, `${sentenceOf(deviation)}; ${effect}`);
    }
  },
});

/**
 * Lists the envelope fields that are absent or have the wrong type in a message in a dialect, with
 * the types that they must have. The validator does not see these fields.
 */
function wrongEnvelopeFields({
  kind,
  written,
  dialect,
}: JudgedMessage): readonly (readonly [field: string | undefined, type: string])[] {
  const { envelope, writes = [] } = dialect ?? {};
  if (envelope === undefined) return [];
  const { id, replyTo, response } = envelope;
  const isNumbered = kind === "request" || writes.includes("ids-on-all-messages");
  const text = response?.errorText ?? "";
  const fields: readonly (readonly [string | undefined, string])[] = [
    ...(isNumbered ? [[id, "number"] as const] : []),
    ...(kind === "response"
      ? ([
          [replyTo, "number"],
          [response?.name, "string"],
          [response?.success, "boolean"],
          ...((written[text] ?? undefined) === undefined ? [] : [[text, "string"] as const]),
        ] as const)
      : [[envelope[kind].name, "string"] as const]),
  ];
  return fields.filter(([field, type]) => field !== undefined && typeof written[field] !== type);
}

/** Describes an issue without its location, which the finding already contains. */
function sentenceOf(issue: ValidationIssue): string {
  const sentence = describeIssue(issue);
  const prefix = `\`${issue.pointer}\`: `;
  return sentence.startsWith(prefix) ? sentence.slice(prefix.length) : sentence;
}

/** Finds the absent property whose name was probably misspelled. */
function meantProperty(
  path: string,
  definition: string | undefined,
  fields: Fields,
  { definitions }: JudgedProtocol,
): string | undefined {
  const keys = parsePointer(path);
  const name = keys.pop() ?? "";
  if (definition === undefined || name.length < minNameLength) return undefined;
  const owner = typeAt(definitions, { kind: "reference", name: definition }, keys);
  if (owner?.kind !== "object") return undefined;
  const value = keys.reduce<unknown>(getField, fields);
  return nearest(
    name,
    flattenProperties(definitions, owner)
      .map((property) => property.name)
      .filter((property) => getField(value, property) === undefined),
    // Peers may add properties, so only a very similar name counts as a typo.
    Math.min(2, name.length >> 2),
  );
}

export const messageRules = ruleFamily({
  rules: {
    "message.kind": {
      severity: "error",
      docs: "The message is not a request, an event or a response.",
    },
    "message.custom": {
      severity: "info",
      docs: "The protocol does not define the message.",
    },
    "message.sender": {
      severity: "error",
      docs: "Only the other side may send the message.",
    },
    "message.deprecated": {
      severity: "info",
      docs: "The message is deprecated.",
    },
  },
  checkOther({ message }, report, { judged }) {
    if (message === undefined) return;
    const result = judged.validate(message, { maxIssues: 1 });
    const reason = result.ok ? undefined : result.issues[0];
    const text = "The message is not a request, an event or a response";
    if (reason === undefined || reason.pointer === "") report("message.kind", "", text);
    else report("message.kind", reason.pointer, `${text}: ${sentenceOf(reason)}`);
  },
  checkMessage({ kind, name, from }, { judged, protocol }, report) {
    if (kind === "response") return;
    const protocolMessage = judged.reader.knownMessage(kind, name);
    const pointer = `/${protocol.envelope[kind].name}`;
    if (protocolMessage === undefined) {
      const meant = nearest(name ?? "", judged.reader.namesOf(kind));
      const hint = meant === undefined ? "" : `: did you mean "${meant}"?`;
      report("message.custom", pointer, `The protocol does not define this message${hint}`);
      return;
    }
    const { sender, deprecated } = protocolMessage;
    if (sender !== "both" && sender !== from)
      report(
        "message.sender",
        pointer,
        `Only the ${sender} may send this message, not the ${from}`,
      );
    if (deprecated !== undefined)
      report("message.deprecated", pointer, deprecated || "The message is deprecated");
  },
});

export const fieldRules = ruleFamily({
  rules: {
    "field.deprecated": {
      severity: "info",
      docs: "The property is deprecated.",
    },
    "field.capability": {
      severity: "warning",
      docs: "A property requires a capability that the other side has not announced.",
      isOneCause: true,
    },
  },
  checkMessage({ definition, fields, from }, { judged, capabilities }, report) {
    if (definition === undefined) return;
    judged.parts.visit(definition, fields, {
      property: ({ deprecated, gate: needed, default: unset }, path, value) => {
        if (deprecated !== undefined)
          report("field.deprecated", pointerOf(path), deprecated || "The property is deprecated");
        // A value that means the same as its absence asks for nothing.
        if (
          needed !== undefined &&
          value !== unset &&
          needed.role !== from &&
          !capabilities.has(needed.role, needed.capability)
        )
          report(
            "field.capability",
            pointerOf(path),
            `The ${needed.role} has not announced ${needed.capability}`,
            { gap: capabilities.gapOf(needed.role, needed.capability) },
          );
      },
    });
  },
});
