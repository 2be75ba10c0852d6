/** The fields of a message, or of a part of one. */
export type Fields = { readonly [field: string]: unknown };
