import type { Json } from "../../../generator/model/types.js";
import { readProtocol } from "../../../cli/index.js";
import { readInput, testCases } from "../../support/case-list.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { notes } from "../../support/notes-protocol.js";
import { readOrRefusal } from "../../support/refusal.js";

const reference = (name: string): { readonly [key: string]: Json } => ({
  $ref: `#/definitions/${name}`,
});

const list = (...names: readonly string[]): { readonly [key: string]: Json } => ({
  type: "array",
  items: { anyOf: names.map(reference) },
});

const object = (properties: {
  readonly [name: string]: Json;
}): { readonly [key: string]: Json } => ({
  type: "object",
  properties,
});

/** Returns the names of a schema's definitions that remain when `omit` is used. */
async function remaining(
  folder: string,
  definitions: { readonly [name: string]: Json },
  omit: readonly string[],
): Promise<readonly string[]> {
  const all = { Open: object({ path: { type: "string" } }), ...definitions };
  writeFiles(folder, {
    "types.json": JSON.stringify({ definitions: all }, null, 2),
    "protocol.json": JSON.stringify({
      ...notes,
      schema: { ...notes.schema, omit },
      messages: {
        by: "table",
        requests: {},
        events: { open: { docs: "Opens.", params: "Open" } },
      },
    }),
  });
  const protocol = await readProtocol(folder);
  return protocol.definitions.map(({ name }) => name).filter((name) => Object.hasOwn(all, name));
}

testCases("test/cases/omitted-definitions.md", "definitions are omitted", async (input) => {
  const [definitions] = readInput(input, { list, object, reference }) as readonly [
    { readonly [name: string]: Json },
  ];
  return withFolder(async (folder) => {
    const read = await readOrRefusal(() => remaining(folder, definitions, ["A"]), folder);
    return typeof read === "string" ? [read.trimEnd()] : read;
  });
});
