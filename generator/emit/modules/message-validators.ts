import { pascalCase } from "../../model/names.js";
import type { Protocol } from "../../model/protocol.js";
import { answeredRequests } from "../../model/queries.js";
import { propertyKey, type SourceFile } from "../printer/source-file.js";
import { requestsConfigured } from "./configuration.js";
import { type PackageNames, runtime } from "./package-names.js";

/** Emits `message-validators.ts`: the validators with which a connection checks messages. */
export function emitMessageValidators(
  protocol: Protocol,
  names: PackageNames,
  file: SourceFile,
): void {
  const validate = "./validate.js";
  const type = file.importType("MessageValidators", runtime);
  file.doc("Validators for the messages of a connection.");
  file.block(`export const messageValidators: ${type} = {`, "};", () => {
    file.line(`${file.importValue("isValid", validate)},`);
    file.line(`${file.importValue("validate", validate)},`);
    // A response that contains the name of its request can be checked without knowing the request.
    if (protocol.envelope.response?.name === undefined)
      file.block("responses: {", "},", () => {
        for (const { name, responseDefinition } of answeredRequests(protocol)) {
          const check = file.importValue(names.check(responseDefinition), "./checks.js");
          const explain = file.importValue(names.validator(responseDefinition), "./validators.js");
          file.line(`${propertyKey(name)}: { isValid: ${check}, validate: ${explain} },`);
        }
      });
    const configured = requestsConfigured(protocol);
    if (configured.length > 0)
      file.block("parameters: {", "},", () => {
        for (const { request } of configured) {
          const explain = file.importValue(
            `validate${pascalCase(request)}Arguments`,
            "./configuration.js",
          );
          file.line(`${propertyKey(request)}: ${explain},`);
        }
      });
  });
}
