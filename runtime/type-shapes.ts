declare const customName: unique symbol;
declare const noProperties: unique symbol;

/**
 * Name of a message that the protocol does not define.
 *
 * A text at run time. Its own type keeps a switch over the known names narrowing: no literal equals it.
 */
export type CustomName = string & { readonly [customName]: true };

/** An object for which no property is defined. Unlike `{}` it takes no primitive, list or function. */
export interface NoProperties {
  readonly [noProperties]?: never;
}

/** Properties that an implementation adds to what the protocol defines. */
export type AdditionalAttributes = { [attribute: string]: unknown };

/** `Type`, with or without properties that an implementation adds. */
export type Extensible<Type> = Type | (Type & AdditionalAttributes);
