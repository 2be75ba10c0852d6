/**
 * Adds the conditions that validators check to a published DAP schema. This code works only from
 * the schema's text, because differential tests compare the result with the model.
 */
type Node = { [key: string]: unknown };

/** The ranges of the integer formats. Those for 64 bits end where doubles are no longer exact. */
const integerFormats: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-2147483648, 2147483647],
  uint32: [0, 4294967295],
  int64: [-9007199254740991, 9007199254740991],
  uint64: [0, 9007199254740991],
};

/** Returns a copy with `anyOf` in place of `oneOf`, and ranges in place of integer formats. */
export function assertFormats(published: object): Node {
  const schema = structuredClone(published) as Node;
  delete schema["$schema"];
  walk(schema, (node) => {
    if (Array.isArray(node["oneOf"])) {
      node["anyOf"] = node["oneOf"];
      delete node["oneOf"];
    }
    const range = integerFormats[String(node["format"])];
    if (range !== undefined && node["type"] === "integer") {
      node["minimum"] = Math.max(range[0], (node["minimum"] as number | undefined) ?? -Infinity);
      node["maximum"] = Math.min(range[1], (node["maximum"] as number | undefined) ?? Infinity);
      delete node["format"];
    }
  });
  return schema;
}

/**
 * Returns the schema with responses split by success, each with its command.
 * For each `XResponse`, an `XSuccess` is added, so that validators that choose a definition based
 * on `success` can be compared too.
 */
export function normaliseSchema(published: object): Node {
  const schema = assertFormats(published);
  const definitions = schema["definitions"] as Record<string, Node>;
  const pin = (name: string, values: readonly unknown[]): Node => ({
    type: "object",
    properties: { [name]: { enum: values } },
    required: [name],
  });
  const error = definitions["ErrorResponse"]!;
  definitions["ErrorResponse"] = { allOf: [error, pin("success", [false])] };
  for (const name of Object.keys(definitions)) {
    const stem = /^(?!Error)(.+)Response$/.exec(name)?.[1];
    if (stem === undefined) continue;
    const command = pin("command", [commandOf(definitions[`${stem}Request`]!)]);
    definitions[`${stem}Success`] = {
      allOf: [definitions[name]!, pin("success", [true]), command],
    };
    definitions[name] = {
      anyOf: [
        { $ref: `#/definitions/${stem}Success` },
        { allOf: [{ $ref: "#/definitions/ErrorResponse" }, command] },
      ],
    };
  }
  return schema;
}

function commandOf(request: Node): string {
  const parts = request["allOf"] as Node[];
  const own = parts.find((part) => "properties" in part)!["properties"] as Record<string, Node>;
  return (own["command"]!["enum"] as string[])[0]!;
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) visit(value as Node);
  for (const each of Object.values(value)) walk(each, visit);
}

/**
 * Returns the name of a message's definition in the normalised schema, given the message's kind,
 * name and success.
 */
export function definitionOf(
  messages: ReadonlyMap<string, string>,
  value: unknown,
): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { type, command, event, success } = value as Node;
  if (type === "event") return messages.get(`event ${String(event)}`) ?? "Event";
  if (type === "request") return messages.get(`request ${String(command)}`) ?? "Request";
  if (type !== "response") return undefined;
  const known = messages.get(`response ${String(command)}`);
  if (success === false) return "ErrorResponse";
  return known ?? "Response";
}
