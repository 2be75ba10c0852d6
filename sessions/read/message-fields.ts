/** The fields of a message or of part of a message. */
export type Fields = { readonly [field: string]: unknown };
