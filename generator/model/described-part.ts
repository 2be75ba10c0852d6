/**
 * First segment of the JSON Pointers in a model that point into the description instead of the
 * schema.
 */
export const describedPart = "x-description";
