import type { FieldForm, Piece } from "../frames/spelling.js";

/** An attribute, and the field that has its value. */
export interface AttributeSpelling {
  readonly field: string;
  readonly form: FieldForm;
  readonly required: boolean;
  /**
   * The value is not escaped: it ends at the first quote that no backslash escapes and that is followed by
   * this text.
   */
  readonly raw?: string;
}

/** How an element is spelled. */
export interface ElementSpelling {
  /** Name of the element. */
  readonly tag: string;
  readonly attributes: { readonly [name: string]: AttributeSpelling };
  /** The text in it, or in its only child. */
  readonly text?: { readonly field: string; readonly form: FieldForm; readonly inside?: string };
  /** The elements in it, all of one kind. */
  readonly children?: { readonly field: string; readonly definition: string };
  /** How it is written; a field of an attribute, `text`, or `children` is written in its place. */
  readonly pieces: readonly Piece[];
}

/** The elements that one side sends. */
export interface ElementTable {
  /** Definition of the body of each message, by its name. */
  readonly messages: { readonly [name: string]: string };
  /** Name of the message that stands for text between elements. */
  readonly text?: { readonly name: string; readonly field: string };
  /** Spellings by definition. The first one is written whose fields are all there. */
  readonly spellings: { readonly [definition: string]: readonly ElementSpelling[] };
}

/** All spellings of a definition in one. */
export class ElementShape {
  readonly tag: string;
  readonly spellings: readonly WrittenSpelling[];
  /** Fields of any spelling. */
  readonly fields: readonly string[];
  readonly attributes: ReadonlyMap<string, AttributeSpelling>;
  /** Attributes that every spelling has. */
  readonly required: readonly string[];
  readonly text: ElementSpelling["text"];
  readonly children: ElementSpelling["children"];
  /** Name of the child that holds the text, in some spelling. */
  readonly textTag: string | undefined;
  /** Shape of the elements in it. */
  child: ElementShape | undefined;
  readonly #hasOwnRaw: boolean;

  constructor(spellings: readonly ElementSpelling[]) {
    this.spellings = spellings.map((each) => ({
      ...each,
      required: requiredFields(each.pieces),
      fields: allFields(each.pieces),
    }));
    this.fields = [...new Set(this.spellings.flatMap(({ fields }) => fields))];
    this.tag = spellings[0]!.tag;
    this.attributes = new Map(spellings.flatMap(({ attributes }) => Object.entries(attributes)));
    this.required = [...this.attributes.keys()].filter((name) =>
      spellings.every(({ attributes }) => attributes[name]?.required === true),
    );
    this.text = spellings.find(({ text }) => text !== undefined)?.text;
    this.children = spellings.find(({ children }) => children !== undefined)?.children;
    this.textTag = spellings.find(({ text }) => text?.inside !== undefined)?.text?.inside;
    this.#hasOwnRaw = [...this.attributes.values()].some(({ raw }) => raw !== undefined);
  }

  /** Whether there are values, in it or in the elements in it, that are not escaped. */
  get hasRaw(): boolean {
    const seen = new Set<ElementShape>();
    let shape: ElementShape | undefined = this;
    while (shape !== undefined && !seen.has(shape)) {
      if (shape.#hasOwnRaw) return true;
      seen.add(shape);
      shape = shape.child;
    }
    return false;
  }
}

/** A spelling with its fields: those that it cannot do without, and all. */
interface WrittenSpelling extends ElementSpelling {
  readonly required: readonly string[];
  readonly fields: readonly string[];
}

/** Fields that pieces cannot do without; lists may be missing. */
export function requiredFields(pieces: readonly Piece[]): readonly string[] {
  return pieces.flatMap((piece) =>
    typeof piece !== "string" && "field" in piece ? [piece.field] : [],
  );
}

function allFields(pieces: readonly Piece[]): readonly string[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === "string") return [];
    return "field" in piece ? [piece.field] : allFields(piece.optional);
  });
}

/** The elements of a table, ready to be looked up. */
export class ElementShapes {
  /** Those that are messages, by the name of the element. */
  readonly messages: ReadonlyMap<string, ElementShape>;
  readonly text: ElementTable["text"];

  constructor(table: ElementTable) {
    const shapes = new Map(
      Object.entries(table.spellings).map(([name, spellings]) => [
        name,
        new ElementShape(spellings),
      ]),
    );
    for (const shape of shapes.values())
      if (shape.children !== undefined) shape.child = shapes.get(shape.children.definition);
    this.messages = new Map(
      Object.entries(table.messages).map(([name, definition]) => [name, shapes.get(definition)!]),
    );
    this.text = table.text;
  }
}
