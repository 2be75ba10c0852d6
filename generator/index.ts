/** The programmatic interface: what the commands do, without the command line. */
export { emitPackage, type EmitOptions } from "./emit/emit-package.js";
export { generate, type GeneratedPackage, type GenerateOptions } from "./generate.js";
export {
  formatInputError,
  InputError,
  type InputErrorCode,
  type InputPlace,
} from "./input-error.js";
export type * from "./model/protocol.js";
export type * from "./model/types.js";
export {
  definitionsByName,
  eventsOf,
  flattenProperties,
  receiverOf,
  requestsOf,
} from "./model/queries.js";
export { bundledProtocols } from "./read/bundled.js";
export { readProtocol, type ReadOptions } from "./read/read-protocol.js";
export { compareOutput, writeOutput, type Staleness } from "./write-output.js";
