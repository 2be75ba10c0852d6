/** The fields of a message or of a part of it. */
export type Fields = { readonly [field: string]: unknown };
