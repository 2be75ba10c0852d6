import assert from "node:assert/strict";
import { test } from "node:test";
import { installPackages, withProject, writeFiles } from "../support/compile.js";
import { compileWith, sourceCompilers } from "../support/compilers.js";
import { nodes, runFile } from "../support/hosts.js";
import { entryPoints, packagedProtocols } from "../support/workspaces.js";

/** The specifiers of every entry point. */
const specifiers = packagedProtocols.flatMap((protocol) =>
  [...entryPoints(protocol).keys()].map((entry) =>
    entry === "index" ? `@wirewright/${protocol}` : `@wirewright/${protocol}/${entry}`,
  ),
);

function withPackages(use: (folder: string) => void): Promise<void> {
  return withProject((folder) => {
    installPackages(
      folder,
      packagedProtocols.map((protocol) => `@wirewright/${protocol}`),
    );
    writeFiles(folder, { "package.json": '{ "type": "commonjs" }' });
    use(folder);
  });
}

for (const node of nodes) {
  test(`require() loads every entry point in ${node.name}`, { skip: node.skip }, () =>
    withPackages((folder) => {
      writeFiles(folder, {
        "main.js": `(async () => {
          for (const specifier of ${JSON.stringify(specifiers)}) {
            const required = require(specifier);
            const imported = await import(specifier);
            for (const name of Object.keys(imported))
              if (required[name] !== imported[name]) console.log(specifier, name);
          }
          console.log("done");
        })();`,
      });
      assert.ok(specifiers.length > 15, String(specifiers.length));
      assert.equal(runFile(node, folder, "main.js"), "done\n");
    }),
  );

  test(`a CommonJS program decodes and sends messages in ${node.name}`, { skip: node.skip }, () =>
    withPackages((folder) => {
      writeFiles(folder, {
        "main.js": `
          const { createEncoder, isEvent } = require("@wirewright/dap");
          const { connect, inlineTransports, ConnectionClosedError } = require("@wirewright/dap/connection");
          const { createMessageTransform } = require("@wirewright/dap/node");
          const sqltools = require("@wirewright/sqltools/connection");
          const transform = createMessageTransform();
          transform.on("data", ({ kind, name }) => console.log(kind, name));
          transform.end(createEncoder().encode({ seq: 1, type: "event", event: "initialized" }));
          const [near, far] = inlineTransports();
          connect("adapter", far, { handlers: { threads: () => ({ threads: [] }) } });
          const client = connect("client", near);
          client.request("threads").then(async (result) => {
            console.log(JSON.stringify(result));
            await client.close();
            await client.request("threads").catch((error) =>
              console.log(error instanceof sqltools.ConnectionClosedError, error.code));
          });`,
      });
      assert.deepEqual(runFile(node, folder, "main.js").split("\n").sort(), [
        "",
        "event initialized",
        "true ERR_CONNECTION_CLOSED",
        '{"threads":[]}',
      ]);
    }),
  );
}

for (const compiler of sourceCompilers)
  test(
    `TypeScript ${compiler.version} accepts CommonJS programs that require the packages`,
    { skip: Number(compiler.version) < 5.8 && "needs TypeScript 5.8" },
    () =>
      withPackages((folder) => {
        writeFiles(folder, {
          "main.cts": `
            import dap = require("@wirewright/dap");
            import connection = require("@wirewright/dap/connection");
            import { validate } from "@wirewright/dap/validators";
            const name: "next" = dap.requests.next.name;
            export const reason = (event: dap.StoppedEvent): string => event.body.reason + name;
            export const near: connection.Transport = connection.inlineTransports()[0];
            export const isValid: boolean = validate({}).ok;
          `,
        });
        const compilerOptions = { strict: true, noEmit: true, module: "nodenext", types: ["node"] };
        const settings = { compilerOptions, files: ["main.cts"] };
        assert.equal(compileWith(compiler, folder, settings), "");
      }),
  );
