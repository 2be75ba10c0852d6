import { minify } from "terser";
import type { ShortNames } from "./internal-names.js";

/**
 * Functions called only by checks. Checks catch all exceptions, so these names never appear in a
 * stack trace.
 */
const behindChecks =
  /^(faultsOf|matches|ruleOf|isListOf|isMapOf|isEither|isObjectWith|isKnown[A-Z])/;

/** Functions that create validators and never throw. */
const makers = /^create(Message|Plain)?Validator$/;

/**
 * Removes white space and shortens the names of variables and internal properties. Functions and
 * classes keep their names for the sake of stack traces.
 */
export async function shorten(
  code: string,
  isModule: boolean,
  properties: ShortNames,
): Promise<string> {
  const { code: text = "" } = await minify(code, {
    module: isModule,
    ecma: 2020,
    // Apply the same transformations as common bundlers, but do not move code.
    compress: {
      defaults: false,
      booleans: true,
      conditionals: true,
      // Some bundlers do not remove an unused sum of constants.
      evaluate: true,
      if_return: true,
      comparisons: true,
      join_vars: true,
      typeofs: true,
      properties: true,
      sequences: true,
      side_effects: true,
      lhs_constants: true,
      reduce_vars: true,
      reduce_funcs: false,
      collapse_vars: true,
      unused: true,
      keep_fnames: true,
      keep_classnames: true,
    },
    mangle: {
      toplevel: true,
      reserved: passedOn(code),
      keep_fnames: new RegExp(`^(?!${behindChecks.source}|${makers.source})`),
      keep_classnames: true,
      properties: {
        keep_quoted: true,
        // Have terser rename only the internal properties.
        cache: { props: new Map([...properties]) },
        only_cache: true,
      } as object,
    },
    // Bundlers read annotations only in ES modules.
    format: { comments: false, preserve_annotations: isModule, max_line_len: 160 },
  });
  return text.replaceAll("/* @__PURE__ */", "/*@__PURE__*/");
}

/**
 * Moves exports from the list at the end of an ES module to the declarations, so that long names
 * are not repeated.
 */
export function exportCodeInPlace(code: string): string {
  const list = /^export \{ (.+) \};$/m.exec(code);
  if (list === null) return code;
  const names = new Set(list[1]!.split(", "));
  const marked = code.replace(
    /^(?:(?:async )?function\*?|class|const) ([\w$]+)/gm,
    (declaration, name: string) => (names.delete(name) ? `export ${declaration}` : declaration),
  );
  const rest = [...names].join(", ");
  return (
    marked
      .replace(list[0], rest === "" ? "" : `export { ${rest} };`)
      // Combine consecutive constants into a single declaration.
      .replaceAll(/(?:^export const [\w$]+ = [^;{}]+;\s+){2,}/gm, (constants) =>
        constants.replaceAll(/;\s+export const /g, ", "),
      )
  );
}

/**
 * Writes a CommonJS module's exports as a single object literal, in which Node can detect the
 * names.
 */
export function exportOnce(code: string): string {
  const names: string[] = [];
  const passed = new Map<string, string>();
  const rest = code.replaceAll(
    /^exports\.([\w$]+) = (?:([\w$]+)\.)?([\w$]+);\n/gm,
    (_line, name: string, from: string | undefined, local: string) => {
      names.push(name === local ? name : `${name}: ${local}`);
      if (from !== undefined) passed.set(local, from);
      return "";
    },
  );
  const imports = [...new Set(passed.values())].map((from) => {
    const own = [...passed.keys()].filter((name) => passed.get(name) === from);
    return `const { ${own.join(", ")} } = ${from};\n`;
  });
  return `${rest}\n${imports.join("")}module.exports = { ${names.join(", ")} };\n`;
}

/**
 * Returns the names that a CommonJS module re-exports, so that they occur twice in the code instead
 * of three times.
 */
function passedOn(code: string): string[] {
  return [...code.matchAll(/^const \{ (.+) \} = [\w$]+;$/gm)].flatMap(([, names]) =>
    names!.split(", "),
  );
}
