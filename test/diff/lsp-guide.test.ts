/**
 * The comparison of LSP 3.17 with 3.18 reads like a migration guide. Version 3.17 is derived from
 * the official 3.18.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { diffVersions, printDiff } from "../../cli/index.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { fromRoot, shared, skipWithout } from "../support/paths.js";
import { base, reference } from "../support/meta-model.js";

const path = "schemas/lsp/metaModel.json";

interface Named {
  readonly name: string;
  type?: unknown;
  properties?: Named[];
  values?: { value: unknown }[];
}

interface MetaModel {
  metaData: { version: string };
  requests: { method: string; clientCapability?: string; serverCapability?: string }[];
  notifications: MetaModel["requests"];
  structures: Named[];
  enumerations: Named[];
  typeAliases: Named[];
}

const property = (name: string, type: object, optional = false): object => ({
  name,
  type,
  ...(optional ? { optional } : {}),
});

/**
 * Creates a filter's alternatives, with one required property each. They are inline, as in LSP
 * 3.17.
 */
const filters = (...names: readonly string[]): object => ({
  kind: "or",
  items: names.map((required) => ({
    kind: "literal",
    value: {
      properties: names.map((name) => property(name, base("string"), name !== required)),
    },
  })),
});

/**
 * Restores everything that was different in 3.17. Parts that are the same in both versions keep
 * their 3.18 descriptions.
 */
function older(model: MetaModel): MetaModel {
  const structure = (name: string): Named => model.structures.find((each) => each.name === name)!;
  const retype = (owner: string, name: string, type: object): void => {
    structure(owner).properties!.find((each) => each.name === name)!.type = type;
  };
  const remove = (owner: string, ...names: readonly string[]): void => {
    const own = structure(owner);
    own.properties = own.properties!.filter(({ name }) => !names.includes(name));
  };
  model.metaData.version = "3.17.0";
  for (const message of [...model.requests, ...model.notifications]) {
    delete message.clientCapability;
    delete message.serverCapability;
  }
  model.requests = model.requests.filter(({ method }) => !/textDocumentContent/.test(method));
  for (const alias of model.typeAliases) {
    if (alias.name === "TextDocumentFilter") alias.type = filters("language", "scheme", "pattern");
    if (alias.name === "NotebookDocumentFilter")
      alias.type = filters("notebookType", "scheme", "pattern");
  }
  retype("Diagnostic", "message", base("string"));
  retype("SignatureHelp", "activeParameter", base("uinteger"));
  retype("SignatureInformation", "activeParameter", base("uinteger"));
  retype("TextDocumentEdit", "edits", {
    kind: "array",
    element: { kind: "or", items: [reference("TextEdit"), reference("AnnotatedTextEdit")] },
  });
  remove("Command", "tooltip");
  remove("CodeAction", "tags");
  remove("CompletionList", "applyKind");
  remove("ApplyWorkspaceEditParams", "metadata");
  remove("WorkspaceClientCapabilities", "textDocumentContent");
  remove("TextDocumentClientCapabilities", "filters");
  remove("WorkspaceEditClientCapabilities", "metadataSupport", "snippetEditSupport");
  return model;
}

test(
  "the diff between LSP 3.17 and 3.18 shows each change at its location, with the code that breaks",
  { skip: skipWithout(path) },
  async () => {
    await withFolder(async (folder) => {
      const now = readFileSync(shared(path)!, "utf8");
      const model = older(JSON.parse(now) as MetaModel);
      writeFiles(folder, { "3.17.0.json": JSON.stringify(model) });
      const diff = await diffVersions(join(folder, "3.17.0.json"), shared(path)!, {
        protocol: "lsp",
      });
      const breaking = diff.findings.filter(({ severity }) => severity === "breaking");
      assert.deepEqual(breaking.map(({ rule, at }) => `${rule} ${at}`).sort(), [
        "type.null-added SignatureHelp.activeParameter",
        "type.null-added SignatureInformation.activeParameter",
        "type.widened Diagnostic.message",
        "type.widened NotebookDocumentFilter.pattern",
        "type.widened TextDocumentFilter.pattern",
        "union.untagged-added TextDocumentEdit.edits[] | SnippetTextEdit",
      ]);
      for (const [format, name] of [
        ["text", "diff-lsp.txt"],
        ["markdown", "diff-lsp.md"],
      ] as const) {
        const text = await printDiff(diff, format, { from: "safe" });
        const own = text.replaceAll(/ {3}\S+\/(?:metaModel|3\.17\.0)\.json:\d+:\d+/g, "");
        const golden = fromRoot(`test/golden/${name}`);
        if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(golden, own);
        assert.equal(own, readFileSync(golden, "utf8"));
      }
      // The page contains the official schema, which is not in the repository, so its order and
      // facts are checked instead of a golden file.
      const page = await printDiff(diff, "html");
      const [effects, changes] = page.split("<form") as [string, string];
      assert.match(
        effects,
        /<section class="advice" aria-label="Effects on each side"><h2>Effects on each side<\/h2>/,
      );
      assert.match(changes, /<b>2 ×<\/b> string → GlobPattern|TextDocumentFilter\.pattern/);
      assert.doesNotMatch(page, /and \d+ more/);
    });
  },
);
