import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { readProtocol, requestsOf } from "../../cli/index.js";
import { fromRoot } from "../../test/support/paths.js";
import { closedSchema } from "./closed-schema.js";
import { successOf } from "./schema-dialect.js";
import { writeStandalone } from "./validator-peers.js";

/**
 * Creates the code that a program needs around ajv's standalone functions: a switch on kind and
 * name. Failures, unknown names and unknown kinds are checked against their base definition.
 *
 * @param closed Whether to reject unknown fields. This is the closest that ajv comes to the wire
 * profile, which reports unknown fields.
 */
export async function ajvFrontDoor(
  allErrors: boolean,
  closed = false,
): Promise<(value: unknown) => boolean> {
  const protocol = await readProtocol("dap");
  const requests = requestsOf(protocol);
  const functions = pathToFileURL(
    writeStandalone(allErrors, undefined, closed ? closedSchema(protocol) : undefined),
  ).href;
  const code = `import * as ajv from ${JSON.stringify(functions)};
export function validate(value) {
  if (typeof value !== "object" || value === null) return false;
  switch (value.type) {
    case "request":
      ${switchOf("command", requests)}
      return ajv.Request(value);
    case "response":
      if (value.success === false) return ajv.ErrorResponse(value);
      ${switchOf(
        "command",
        requests.map(({ name, responseDefinition }) => ({ name, definition: responseDefinition! })),
      )}
      return ajv.Response(value);
    case "event":
      ${switchOf(
        "event",
        protocol.messages.filter(({ kind }) => kind === "event"),
      )}
      return ajv.Event(value);
  }
  ajv.ProtocolMessage(value);
  return false;
}
`;
  const path = fromRoot(
    `build/tools/bench/generated/ajv-door-${closed ? "closed-" : ""}${allErrors ? "all" : "first"}.mjs`,
  );
  writeFileSync(path, code);
  const { validate } = (await import(pathToFileURL(path).href)) as {
    validate: (value: unknown) => boolean;
  };
  return validate;
}

function switchOf(
  field: string,
  messages: readonly { readonly name: string; readonly definition: string }[],
): string {
  const cases = messages.map(
    ({ name, definition }) =>
      `case ${JSON.stringify(name)}: return ajv.${successOf(definition)}(value);`,
  );
  return `switch (value.${field}) { ${cases.join(" ")} }`;
}
