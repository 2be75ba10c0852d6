/** The fields of a message or of part of one. */
export type Fields = { readonly [field: string]: unknown };
