/** Messages to validate, each with the name of its definition. */
import { readProtocol, requestsOf } from "../../cli/index.js";
import { plantFaults, Sampler } from "../../test/support/sample-values.js";

export interface Value {
  readonly definition: string;
  readonly value: unknown;
}

/** Parses the message, so that its objects are like those of received ones and share nothing. */
function parsed(definition: string, value: object): Value {
  return { definition, value: JSON.parse(JSON.stringify(value)) as unknown };
}

const tiny = parsed("InitializedEvent", { seq: 3, type: "event", event: "initialized" });

const small = parsed("NextRequest", {
  seq: 12,
  type: "request",
  command: "next",
  arguments: { threadId: 1, granularity: "line" },
});

/** A stack of 20 frames with eight different sets of keys. */
const medium = parsed("StackTraceResponse", {
  seq: 40,
  type: "response",
  request_seq: 22,
  success: true,
  command: "stackTrace",
  body: {
    stackFrames: Array.from({ length: 20 }, (_, index) => ({
      id: 1000 + index,
      name: `frame number ${index}`,
      ...(index & 1 ? { presentationHint: "normal", canRestart: false } : {}),
      line: 10 * index,
      column: 5,
      ...(index & 2 ? { endLine: 10 * index + 2, endColumn: 9 } : {}),
      source: {
        name: "main.ts",
        path: `/home/me/project/src/module-${index}/main.ts`,
        ...(index & 4 ? { sourceReference: 0 } : {}),
      },
    })),
    totalFrames: 20,
  },
});

function variables(wrong?: number): Value {
  return parsed("VariablesResponse", {
    seq: 90,
    type: "response",
    request_seq: 60,
    success: true,
    command: "variables",
    body: {
      variables: Array.from({ length: 1000 }, (_, index) => ({
        name: `variable${index}`,
        value: index === wrong ? index : `value of variable ${index}, as text`,
        type: "string",
        evaluateName: `scope.variable${index}`,
        variablesReference: index % 7 === 0 ? index + 1 : 0,
      })),
    },
  });
}

const protocol = await readProtocol("dap");
const sampler = new Sampler(protocol, 7);
const mixedDefinitions = [
  ...protocol.messages.filter(({ kind }) => kind === "event").map(({ definition }) => definition),
  ...requestsOf(protocol).map(({ definition, responseDefinition }, index) =>
    index % 2 === 0 ? definition : responseDefinition!,
  ),
];
const mixed = mixedDefinitions.map((definition) =>
  parsed(definition, sampler.sample(definition, "some") as object),
);
const faulty = mixedDefinitions.flatMap((definition, index) => {
  const faults = plantFaults(sampler, definition, sampler.sample(definition, "some"));
  return (
    faults
      .filter((_, number) => (number + index) % Math.ceil(faults.length / 3) === 0)
      // valibot takes an array for a map.
      .filter(({ path }) => path !== "/arguments/env")
      .map(({ value }) => parsed(definition, value as object))
  );
});

/** Copies, because a program does not validate the same object over and over. */
const copies = (count: number, { definition, value }: Value): readonly Value[] =>
  Array.from({ length: count }, () => parsed(definition, value as object));

/** Valid messages, by name of the set. */
export const valid: Readonly<Record<string, readonly Value[]>> = {
  "a tiny event": copies(50, tiny),
  "a small request": copies(50, small),
  "20 stack frames": copies(5, medium),
  "1,000 variables": [variables()],
  "all kinds of messages": mixed,
};

/** Messages with one fault each. Every kind of fault occurs. */
export const invalid: Readonly<Record<string, readonly Value[]>> = {
  "one fault in each message": faulty,
  "one of 1,000 variables is wrong": [variables(700)],
};
