/**
 * The first step of JSON Pointers in a model that lead to the description instead of the schema.
 */
export const describedPart = "x-description";
