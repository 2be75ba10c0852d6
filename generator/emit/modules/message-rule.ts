import type { Protocol, When } from "../../model/protocol.js";
import {
  answeredRequests,
  eventsOf,
  requestsOf,
  responsesOf,
  type Responses,
} from "../../model/queries.js";
import { failureName, ruleName } from "./rules.js";
import { literalKey, quote, type SourceFile } from "../printer/source-file.js";

const runtime = "./runtime/index.js";

/** A kind of messages: how it is recognised, and the definitions of its members. */
export interface MessageArm {
  readonly when: When;
  /** Field with the name; undefined where a response carries none. */
  readonly name: string | undefined;
  readonly known: readonly (readonly [name: string, definition: string])[];
  /** Definition of what is not known. */
  readonly other: string;
}

/** Requests, events and responses. */
export function messageArms(protocol: Protocol): readonly MessageArm[] {
  const { request, event } = protocol.envelope;
  const responses = responsesOf(protocol);
  return [
    {
      when: request.when,
      name: request.name,
      known: requestsOf(protocol).map((each) => [each.name, each.definition] as const),
      other: protocol.bases.request,
    },
    {
      when: event.when,
      name: event.name,
      known: eventsOf(protocol).map((each) => [each.name, each.definition] as const),
      other: protocol.bases.event,
    },
    ...(responses === undefined ? [] : [responseArm(protocol, responses)]),
  ];
}

function responseArm(protocol: Protocol, { arm, base }: Responses): MessageArm {
  return {
    when: arm.when,
    name: arm.name,
    known:
      arm.name === undefined
        ? []
        : answeredRequests(protocol).map((each) => [each.name, each.responseDefinition] as const),
    other: base,
  };
}

/** Prints `message-rule.ts`: the rule of any message, from which its own rule is found. */
export function emitMessageRule(protocol: Protocol, file: SourceFile): void {
  const responses = responsesOf(protocol);
  const arms = messageArms(protocol);
  const rule = (definition: string): string => file.importValue(ruleName(definition), "./rules.js");
  if (responses !== undefined) emitResponseRule(responses);
  const rules = file.importType("MessageRule", runtime);
  file.block(`export const messageRule = (): ${rules} => ({`, "});", () => {
    file.block("arms: [", "],", () => {
      for (const arm of arms) {
        file.block("{", "},", () => {
          const when = Object.entries(arm.when).map(
            ([field, test]) =>
              `${literalKey(field)}: ${typeof test === "string" ? quote(test) : test}`,
          );
          file.line(`when: { ${when.join(", ")} },`);
          if (arm.name !== undefined) {
            file.line(`name: ${quote(arm.name)},`);
            const entries = arm.known.map(
              ([name, definition]) => `${literalKey(name)}: ${rule(definition)}`,
            );
            if (entries.length === 0) file.line("known: {},");
            else
              file.block("known: {", "},", () => entries.forEach((each) => file.line(`${each},`)));
          }
          file.line(`other: ${arm.other === responses?.base ? "responseRule" : rule(arm.other)},`);
        });
      }
    });
  });
  file.line();

  /** A response to a request that the protocol does not define. */
  function emitResponseRule({ arm: response, base: definition }: Responses): void {
    const type = file.importType("ResponseRule", runtime);
    const base = rule(definition);
    file.block(`const responseRule = (): ${type} => ({`, "});", () => {
      if (response.success !== undefined) file.line(`success: ${base},`);
      else {
        file.block("success: {", "},", () => {
          file.line(`bases: [${base}],`);
          file.line(
            `required: { ${literalKey(response.result)}: { part: "result", rule: "any" } },`,
          );
        });
      }
      file.line(`failure: ${file.importValue(failureName, "./rules.js")},`);
    });
    file.line();
  }
}
