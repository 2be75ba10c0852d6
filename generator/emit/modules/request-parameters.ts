import type { SourceFile } from "../printer/source-file.js";
import { runtime } from "./package-names.js";

/** Names that `emitRequestParameters` exports. */
export const requestParameterNames = ["NoArguments", "RequestParameters"] as const;

/**
 * Emits the type of the arguments that follow the name of a request.
 *
 * @param options The runtime's type for the options.
 */
export function emitRequestParameters(options: string, file: SourceFile): void {
  const requestName = file.importType("RequestName", "./maps.js");
  const parametersOf = file.importType("ParametersOf", "./maps.js");
  const requestOptions = file.importType(options, runtime);
  file.code`
    /** The type of the arguments for a request that takes none. */
    export interface NoArguments {
      readonly [noArguments]?: never;
    }

    declare const noArguments: unique symbol;

    /** The parameters that follow the name of a request: its arguments, then options. */
    export type RequestParameters<Name extends ${requestName}> =
      ${parametersOf}<Name> extends []
        ? [arguments?: NoArguments, options?: ${requestOptions}]
        : [...arguments: ${parametersOf}<Name>, options?: ${requestOptions}];
  `;
}
