import { checkArguments, protocolModel } from "../base/check-arguments.js";
import { visible } from "../base/visible-text.js";
import type { Protocol } from "../model/protocol.js";
import { markdownCode, markdownText } from "../print/markdown-text.js";
import { printJson } from "../print/json-text.js";
import { emitCompatibility } from "./modules/compatibility.js";
import { headerOf } from "./emit-package.js";
import { SourceFile } from "./printer/source-file.js";

/**
 * Emits a package that contains only declarations. It can be installed under the name of the
 * published package that it replaces. Returns content by relative path, sorted, or undefined if the
 * description does not define such a package.
 */
export function emitDeclarationsPackage(
  protocol: Protocol,
): ReadonlyMap<string, string> | undefined {
  checkArguments("emitDeclarationsPackage", { protocol: [protocol, protocolModel] });
  const { namespace, package: published, replacement } = protocol.compatibility ?? {};
  if (replacement === undefined || namespace === undefined || published === undefined)
    return undefined;
  const { name, file } = replacement;
  const declarations = new SourceFile(headerOf(protocol));
  emitCompatibility(protocol, declarations);
  const manifest = {
    name,
    version: protocol.packageVersion,
    protocol: protocol.name,
    protocolVersion: protocol.version,
    description: `Declarations for the ${protocol.title}, using the names from ${published}`,
    license: "MIT",
    type: "commonjs",
    sideEffects: false,
    engines: { node: ">=0.10" },
    main: `./${file}.js`,
    types: `./${file}.d.ts`,
    files: [file.includes("/") ? file.slice(0, file.indexOf("/")) : `${file}.*`],
  };
  const readme = [
    `# ${visible(name)}`,
    "",
    `The declarations for the ${markdownText(protocol.title)} ${markdownText(protocol.version)}, with the same names as ${markdownCode(published)} and equally loose types: interfaces in a namespace ${markdownCode(namespace)}, for TypeScript 4.5 and later. No code, no dependencies. Code written for that package compiles unchanged:`,
    "",
    "```",
    `npm install ${published}@npm:${name}`,
    "```",
    "",
    `Other packages may depend on their own copy of ${markdownCode(published)}. To replace that copy as well, add an override to your package.json: ${markdownCode(`"overrides": { "${published}": "$${published}" }`)}.`,
    "",
    `Guards, validators and the codec are in ${markdownCode(protocol.packageName)}, whose types are assignable to these.`,
    "",
  ];
  return new Map([
    ["README.md", readme.join("\n")],
    [`${file}.d.ts`, declarations.toString()],
    [
      `${file}.js`,
      '"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\n',
    ],
    ["package.json", `${printJson(manifest)}\n`],
  ]);
}
