/**
 * The arguments whose attributes an adapter defines, by request: `launch`, `attach` or both. Without
 * them, all attributes are allowed. A program adds the types that `wirewright generate` writes for
 * its launch configurations:
 *
 * ```ts
 * import type {} from "@wirewright/dap/connection";
 *
 * declare module "@wirewright/dap/connection" {
 *   interface ConfiguredArguments {
 *     launch: LaunchArguments;
 *   }
 * }
 * ```
 */
export interface ConfiguredArguments {}
