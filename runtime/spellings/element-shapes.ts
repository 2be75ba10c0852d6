import type { FieldForm, Piece } from "../frames/spelling.js";

/** An attribute and the field that holds its value. */
export interface AttributeSpelling {
  readonly field: string;
  readonly form: FieldForm;
  readonly required: boolean;
  /**
   * Set if the value is not escaped: it ends at the first quote that is not escaped by a backslash
   * and is followed by this text.
   */
  readonly raw?: string;
}

/** How an element is written. */
export interface ElementSpelling {
  /** Name of the element. */
  readonly tag: string;
  readonly attributes: { readonly [name: string]: AttributeSpelling };
  /** Its text, or that of its only child. */
  readonly text?: { readonly field: string; readonly form: FieldForm; readonly inside?: string };
  /** Its child elements, all of one definition. */
  readonly children?: { readonly field: string; readonly definition: string };
  /** How it is written. Fields stand for an attribute, the text or the children. */
  readonly pieces: readonly Piece[];
}

/** The elements that one side sends. */
export interface ElementTable {
  /** Definition of each message's body, by name. */
  readonly messages: { readonly [name: string]: string };
  /** The message that represents text between elements. */
  readonly text?: { readonly name: string; readonly field: string };
  /** Spellings by definition. The first one whose fields are all present is written. */
  readonly spellings: { readonly [definition: string]: readonly ElementSpelling[] };
}

/** All spellings of a definition. */
export class ElementShape {
  readonly tag: string;
  readonly spellings: readonly WrittenSpelling[];
  /** Fields of all spellings. */
  readonly fields: readonly string[];
  readonly attributes: ReadonlyMap<string, AttributeSpelling>;
  /** Attributes that every spelling has. */
  readonly required: readonly string[];
  readonly text: ElementSpelling["text"];
  readonly children: ElementSpelling["children"];
  /** Name of the child that contains the text, in some spelling. */
  readonly textTag: string | undefined;
  /** Shape of the child elements. */
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

  /** Whether it, or an element in it, has values that are not escaped. */
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

/** A spelling with its required fields and all its fields. */
interface WrittenSpelling extends ElementSpelling {
  readonly required: readonly string[];
  readonly fields: readonly string[];
}

/** Fields that pieces require. Lists are optional. */
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

/** The elements of a table, indexed. */
export class ElementShapes {
  /** Elements that are messages, by name. */
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
