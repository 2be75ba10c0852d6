import type { FieldForm, Piece } from "../frames/spelling.js";

/** An attribute, and the field that holds its value. */
export interface AttributeSpelling {
  readonly field: string;
  readonly form: FieldForm;
  readonly required: boolean;
  /**
   * If set, the value is not escaped. It ends at the first quote that is followed by this text and
   * not preceded by a backslash.
   */
  readonly raw?: string;
}

/** Child elements that share a definition, and the field that holds them. */
export interface ChildSpelling {
  readonly field: string;
  readonly definition: string;
  /** Whether the field holds a single element instead of an array. */
  readonly isSingle?: true;
}

/** How an element is written. */
export interface ElementSpelling {
  /** Name of the element. */
  readonly tag: string;
  readonly attributes: { readonly [name: string]: AttributeSpelling };
  /** The text of the element or of its only child. */
  readonly text?: { readonly field: string; readonly form: FieldForm; readonly inside?: string };
  /** The child elements. Consecutive child elements share a definition. */
  readonly children?: readonly ChildSpelling[];
  /** How the element is written. A field stands for an attribute, the text or the children. */
  readonly pieces: readonly Piece[];
}

/** The element used for responses. Its attributes include the request's name and id. */
export interface ResponseElement {
  readonly tag: string;
  readonly name: string;
  readonly id: string;
  /** Definition of the child element that marks the response as a failure. */
  readonly failure?: string;
  /** Definitions of the results, by request. All other results are read as unknown elements. */
  readonly results: { readonly [request: string]: string };
}

/** The elements that one side sends. */
export interface ElementTable {
  /** The element used for responses, if there are responses. */
  readonly responses?: ResponseElement;
  /** Definitions of the message bodies, by message name. */
  readonly messages: { readonly [name: string]: string };
  /** The message that represents text between elements. */
  readonly text?: { readonly name: string; readonly field: string };
  /**
   * Spellings by definition. When writing, the first spelling whose fields are all present is used.
   */
  readonly spellings: { readonly [definition: string]: readonly ElementSpelling[] };
}

/** All spellings of a definition. */
export class ElementShape {
  readonly tag: string;
  readonly spellings: readonly WrittenSpelling[];
  /** Fields of all spellings. */
  readonly fields: readonly string[];
  readonly attributes: ReadonlyMap<string, AttributeSpelling>;
  /** Attributes that occur in every spelling. */
  readonly required: readonly string[];
  readonly text: ElementSpelling["text"];
  readonly children: readonly ChildSpelling[];
  /** Name of the child element that contains the text in one of the spellings. */
  readonly textTag: string | undefined;
  /** Shapes of the child elements by name, along with the fields that hold them. */
  readonly childShapes: Map<string, ChildShape> = new Map();
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
    this.children = spellings.find(({ children }) => children !== undefined)?.children ?? [];
    this.textTag = spellings.find(({ text }) => text?.inside !== undefined)?.text?.inside;
    this.#hasOwnRaw = [...this.attributes.values()].some(({ raw }) => raw !== undefined);
  }

  /** Whether the element, or any element inside it, has unescaped values. */
  get hasRaw(): boolean {
    const seen = new Set<ElementShape>([this]);
    for (const shape of seen) {
      if (shape.#hasOwnRaw) return true;
      for (const child of shape.childShapes.values()) seen.add(child.shape);
    }
    return false;
  }
}

/** The shape of elements that may occur inside another element. */
interface ChildShape extends ChildSpelling {
  readonly shape: ElementShape;
}

/** A spelling, with its required fields and all of its fields. */
interface WrittenSpelling extends ElementSpelling {
  readonly required: readonly string[];
  readonly fields: readonly string[];
}

/** Returns the fields that pieces require: all fields that are not in an optional piece. */
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

/** A table's elements, by name and by definition. */
export class ElementShapes {
  /** Elements that are messages, by name. */
  readonly messages: ReadonlyMap<string, ElementShape>;
  readonly text: ElementTable["text"];
  /** All shapes, by definition. */
  readonly shapes: ReadonlyMap<string, ElementShape>;

  constructor(table: ElementTable) {
    const shapes = new Map(
      Object.entries(table.spellings).map(([name, spellings]) => [
        name,
        new ElementShape(spellings),
      ]),
    );
    for (const each of shapes.values())
      for (const child of each.children) {
        const shape = shapes.get(child.definition)!;
        each.childShapes.set(shape.tag, { ...child, shape });
      }
    this.shapes = shapes;
    this.messages = new Map(
      Object.entries(table.messages).map(([name, definition]) => [name, shapes.get(definition)!]),
    );
    this.text = table.text;
  }
}
