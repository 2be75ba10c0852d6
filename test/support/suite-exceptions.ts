/** Groups of the JSON Schema Test Suite that the reader refuses, by the reason. Names are those of files and groups. */
export const refusedGroups: readonly (readonly [reason: string, message: RegExp])[] = [
  ["a schema must not make the tool read other files", /a reference must refer to the same file/],
  [
    "what a dynamic reference leads to depends on the way to it, which a type cannot follow",
    /it may refer to several places in this file/,
  ],
  ["a list of no values is taken for a mistake", /Cannot read "enum"/],
];

/** Tests with another result than the suite, by the reason. */
export const otherVerdicts: Readonly<Record<string, string>> = {
  "vocabulary: schema that uses custom metaschema with with no validation vocabulary / no validation: invalid number, but it still validates":
    "keywords of validation count, whatever a metaschema in another file says",
};
