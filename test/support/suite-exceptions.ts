/**
 * Groups in the JSON Schema Test Suite that the reader refuses, with the reason and the error
 * message.
 */
export interface RefusedGroups {
  readonly reason: string;
  readonly message: RegExp;
  /** Names of the groups, each with its file. */
  readonly groups: readonly string[];
}

/** All groups in the JSON Schema Test Suite that the reader refuses. */
export const refusedGroups: readonly RefusedGroups[] = [
  {
    reason:
      "The reader never fetches an address, and reads other files only with the user's consent, given with --schema.",
    message: /a reference must refer to the same file/,
    groups: [
      "definitions: validate definition against metaschema",
      "defs: validate definition against metaschema",
      "dynamicRef: $ref and $dynamicAnchor are independent of order - $defs first",
      "dynamicRef: $ref and $dynamicAnchor are independent of order - $ref first",
      "dynamicRef: $ref to $dynamicRef finds detached $dynamicAnchor",
      "dynamicRef: strict-tree schema, guards against misspelled properties",
      "dynamicRef: tests for implementation dynamic anchor and reference link",
      "ref: remote ref, containing refs itself",
      "refRemote: $ref to $ref finds detached $anchor",
      "refRemote: $ref to $ref finds location-independent $id",
      "refRemote: Location-independent identifier in remote ref",
      "refRemote: anchor within remote ref",
      "refRemote: base URI change",
      "refRemote: base URI change - change folder",
      "refRemote: base URI change - change folder in subschema",
      "refRemote: fragment within remote ref",
      "refRemote: ref within remote ref",
      "refRemote: remote HTTP ref with different $id",
      "refRemote: remote HTTP ref with different URN $id",
      "refRemote: remote HTTP ref with nested absolute ref",
      "refRemote: remote ref",
      "refRemote: remote ref with ref to definitions",
      "refRemote: remote ref with ref to defs",
      "refRemote: retrieved nested refs resolve relative to their URI not $id",
      "refRemote: root ref in remote ref",
    ],
  },
  {
    reason:
      "The target of a dynamic reference depends on the references that lead to it. A type has only one target, so only references with a single possible target are read.",
    message: /it may refer to several locations in this file/,
    groups: [
      "dynamicRef: $dynamicRef avoids the root of each schema, but scopes are still registered",
      "dynamicRef: $dynamicRef skips over intermediate resources - direct reference",
      "dynamicRef: A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated",
      "dynamicRef: A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope",
      "dynamicRef: A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution",
      "dynamicRef: after leaving a dynamic scope, it is not used by a $dynamicRef",
      "dynamicRef: multiple dynamic paths to the $dynamicRef keyword",
      "unevaluatedItems: unevaluatedItems with $dynamicRef",
      "unevaluatedProperties: unevaluatedProperties with $dynamicRef",
    ],
  },
  {
    reason: "A list without values accepts nothing. In a real schema, it is a mistake.",
    message: /Cannot read "enum"/,
    groups: ["enum: empty enum"],
  },
];

/** Tests whose result differs from the suite's, each with the reason. */
export const otherVerdicts: Readonly<Record<string, string>> = {
  "vocabulary: schema that uses custom metaschema with with no validation vocabulary / no validation: invalid number, but it still validates":
    "validation keywords apply, whatever a metaschema in another file says",
};
