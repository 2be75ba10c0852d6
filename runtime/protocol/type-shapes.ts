declare const noProperties: unique symbol;

/**
 * Name of a message that the protocol does not define: some text.
 *
 * An enum without a value of its own, since its members, unlike any other kind of text, are comparable to no
 * literal: a switch over the known names goes on narrowing where unknown ones are in the union.
 */
export declare enum CustomName {
  text = "",
}

/** An object for which no property is defined. Unlike `{}` it takes no primitive, list or function. */
export interface NoProperties {
  readonly [noProperties]?: never;
}

/** Properties that an implementation adds to what the protocol defines. */
export type AdditionalAttributes = { [attribute: string]: unknown };

/** `Type`, with or without properties that an implementation adds. */
export type Extensible<Type> = Type | (Type & AdditionalAttributes);
