declare const noProperties: unique symbol;

/**
 * The name of a message that the protocol does not define.
 *
 * This is a string enum without usable members. Enum members are not comparable to literals, so a
 * switch over the known names still narrows when the union includes custom names.
 */
export declare enum CustomName {
  text = "",
}

/**
 * An object without defined properties. Unlike `{}`, this type rejects primitives, arrays and
 * functions.
 */
export interface NoProperties {
  readonly [noProperties]?: never;
}

/** Properties that an implementation adds to those of the protocol. */
export type AdditionalAttributes = { [attribute: string]: unknown };

/** `Type`, optionally with additional properties. */
export type Extensible<Type> = Type | (Type & AdditionalAttributes);
