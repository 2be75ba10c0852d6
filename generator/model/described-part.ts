/** The first part of pointers in a model that lead to the description instead of the schema. */
export const describedPart = "x-description";
