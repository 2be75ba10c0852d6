/** The part of prettier that json-schema-to-typescript uses, in its browser version. */
import * as estree from "prettier/plugins/estree";
import * as typescript from "prettier/plugins/typescript";
import { format as formatText } from "prettier/standalone";

export const format = (text, options) =>
  formatText(text, { ...options, plugins: [estree, typescript] });
