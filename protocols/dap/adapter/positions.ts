import { option } from "../../../generated/dap/runtime/index.js";

/**
 * How lines and columns are counted, and how paths are written. The defaults are the protocol's.
 */
export interface Positions {
  /** Whether lines are counted from 1. Default: true. */
  readonly linesStartAt1?: boolean;
  /** Whether columns are counted from 1. Default: true. */
  readonly columnsStartAt1?: boolean;
  /** How paths are written: `path` or `uri`. Default: `path`. */
  readonly pathFormat?: string;
}

export const positionChecks: option.OptionChecks<Positions> = {
  linesStartAt1: option.flag,
  columnsStartAt1: option.flag,
  pathFormat: /* @__PURE__ */ option.oneOf("path", "uri"),
};
