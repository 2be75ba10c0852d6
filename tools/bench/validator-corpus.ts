import { readProtocol, requestsOf } from "../../cli/index.js";
import { plantFaults, Sampler } from "../../test/support/sample-values.js";

/** A value and the name of its definition. */
export interface Case {
  readonly definition: string;
  readonly value: unknown;
}

const protocol = await readProtocol("dap");

/**
 * Creates a case. Parses the value from JSON so that its objects have the same hidden classes as
 * those in received messages.
 */
function parsed(definition: string, value: object): Case {
  return { definition, value: JSON.parse(JSON.stringify(value)) as unknown };
}

export const tiny: Case = parsed("InitializedEvent", {
  seq: 3,
  type: "event",
  event: "initialized",
});

export const small: Case = parsed("NextRequest", {
  seq: 12,
  type: "request",
  command: "next",
  arguments: { threadId: 1, granularity: "line" },
});

/** Creates a stack of 20 frames with `keySets` different sets of keys. */
function stackTrace(keySets: number): Case {
  const stackFrames = Array.from({ length: 20 }, (_, index) => {
    const set = index % keySets;
    return {
      id: 1000 + index,
      name: `frame number ${index}`,
      ...(set & 1 ? { presentationHint: "normal" } : {}),
      line: 10 * index,
      column: 5,
      ...(set & 2 ? { endLine: 10 * index + 2, endColumn: 9 } : {}),
      source: {
        name: "main.ts",
        path: `/home/me/project/src/module-${index}/main.ts`,
        ...(set & 4 ? { sourceReference: 0 } : {}),
      },
      ...(set & 1 ? { canRestart: false } : {}),
    };
  });
  return parsed("StackTraceResponse", {
    seq: 40,
    type: "response",
    request_seq: 22,
    success: true,
    command: "stackTrace",
    body: { stackFrames, totalFrames: 20 },
  });
}

export const medium = stackTrace(8);
export const mediumMono = stackTrace(1);

function variables(count: number, wrong: (index: number) => boolean): Case {
  return parsed("VariablesResponse", {
    seq: 90,
    type: "response",
    request_seq: 60,
    success: true,
    command: "variables",
    body: {
      variables: Array.from({ length: count }, (_, index) => ({
        name: `variable${index}`,
        value: wrong(index) ? index : `value of variable ${index}, as text`,
        type: "string",
        evaluateName: `scope.variable${index}`,
        variablesReference: index % 7 === 0 ? index + 1 : 0,
      })),
    },
  });
}

export const large = variables(1000, () => false);
export const largeWithOneFault = variables(1000, (index) => index === 700);
export const manyFaults = variables(50_000, () => true);

/**
 * The definitions of the 70 mixed messages: all events, then requests and responses alternately.
 */
const mixedDefinitions = [
  ...protocol.messages.filter((each) => each.kind === "event").map((each) => each.definition),
  ...requestsOf(protocol).map((each, index) =>
    index % 2 === 0 ? each.definition : each.responseDefinition!,
  ),
  ...requestsOf(protocol)
    .slice(0, 16)
    .map((each, index) => (index % 2 === 0 ? each.responseDefinition! : each.definition)),
].slice(0, 70);

const sampler = new Sampler(protocol, 7);

/** Valid messages for many definitions, with some of the optional properties. */
export const mixed: readonly Case[] = mixedDefinitions.map((definition) =>
  parsed(definition, sampler.sample(definition, "some") as object),
);

/** Messages with one fault each. Every kind of fault occurs, spread over the definitions. */
export const invalid: readonly (Case & { readonly path: string })[] = mixedDefinitions
  .flatMap((definition, index) => {
    const faults = plantFaults(sampler, definition, sampler.sample(definition, "some"));
    return faults.filter((_, place) => (place + index) % Math.ceil(faults.length / 3) === 0);
  })
  .slice(0, 201)
  .map(({ definition, value, path }) => ({ ...parsed(definition, value as object), path }));
