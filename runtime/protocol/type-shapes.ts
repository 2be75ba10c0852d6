declare const noProperties: unique symbol;

/**
 * Name of a message that the protocol does not define.
 *
 * This is a string enum without usable members, because enum members are not comparable to
 * literals: a switch over the known names keeps narrowing when the union includes custom names.
 */
export declare enum CustomName {
  text = "",
}

/**
 * An object without defined properties. Unlike `{}`, it accepts no primitive, array or function.
 */
export interface NoProperties {
  readonly [noProperties]?: never;
}

/** Properties that an implementation adds to the properties of the protocol. */
export type AdditionalAttributes = { [attribute: string]: unknown };

/** `Type`, optionally with additional properties. */
export type Extensible<Type> = Type | (Type & AdditionalAttributes);
