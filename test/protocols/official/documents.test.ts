/** Reads small hand-written documents of the protocols whose schemas are not bundled. */
import { join } from "node:path";
import { readProtocol } from "../../../cli/index.js";
import { readInput, testCases } from "../../support/case-list.js";
import { page, runtime } from "../../support/cdp-domains.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { base, reference } from "../../support/meta-model.js";
import { readJson } from "../../support/paths.js";
import { readOrRefusal } from "../../support/refusal.js";

type Parts = Readonly<Record<string, object>>;

const mcp = readJson("test/fixtures/documents/mcp.json") as { readonly definitions: Parts };

/** Returns the documents of a protocol that consist of a case's parts, by file. */
const documentsOf: Readonly<Record<string, (parts: Parts) => Parts>> = {
  lsp: (parts) => ({
    "metaModel.json": {
      metaData: { version: "3.99.0" },
      requests: [],
      structures: [],
      ...parts,
    },
  }),
  mcp: (parts) => ({
    "2024-01-01/schema.json": { definitions: { ...mcp.definitions, ...parts } },
  }),
  cdp: (parts) => parts,
};

const constant = (value: string): object => ({ type: "string", const: value });

/** Returns a copy of the page's domain after a change. */
function broken(change: (copy: typeof page) => unknown): object {
  const copy = structuredClone(page);
  change(copy);
  return copy;
}

const names = { base, broken, constant, page, reference, runtime };

testCases("test/cases/official-documents.md", "documents are read or refused", (input, name) =>
  withFolder(async (folder) => {
    const [parts] = readInput(input, names) as readonly [Parts];
    const files = Object.entries(documentsOf[name]!(parts)).map(([file, document]) => [
      file,
      JSON.stringify(document, null, 2),
    ]);
    writeFiles(folder, Object.fromEntries(files) as Record<string, string>);
    const schema = files.map(([file]) => join(folder, file!));
    const read = await readOrRefusal(() => readProtocol(name, { schema }), folder);
    if (typeof read === "string") return [read.trimEnd()];
    const { version, envelope, bases, messages, definitions } = read;
    return [version, envelope, bases, ...messages, ...definitions].map((each) =>
      JSON.stringify(each),
    );
  }),
);
