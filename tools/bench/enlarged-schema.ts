export interface Schema {
  readonly definitions: Readonly<Record<string, unknown>>;
}

/** Definitions that all copies share. */
const bases = new Set([
  "ProtocolMessage",
  "Request",
  "Response",
  "Event",
  "ErrorResponse",
  "Message",
]);

/**
 * Duplicates every data definition and message of a DAP schema `factor` times under different
 * names.
 */
export function enlargeSchema(schema: Schema, factor: number): Schema {
  const definitions: [string, unknown][] = Object.entries(schema.definitions);
  for (let copy = 1; copy < factor; copy++) {
    for (const [name, node] of Object.entries(schema.definitions)) {
      if (bases.has(name)) continue;
      const renamed = JSON.stringify(node)
        .replaceAll(/"#\/definitions\/(\w+)"/g, (whole, target: string) =>
          bases.has(target) ? whole : `"#/definitions/X${copy}${target}"`,
        )
        .replaceAll(
          /"(command|event)":\{"type":"string",("description":"[^"]*",)?"enum":\["(\w+)"\]/g,
          (_, key: string, docs: string | undefined, value: string) =>
            `"${key}":{"type":"string",${docs ?? ""}"enum":["x${copy}${value}"]`,
        );
      definitions.push([`X${copy}${name}`, JSON.parse(renamed)]);
    }
  }
  return { ...schema, definitions: Object.fromEntries(definitions) };
}
