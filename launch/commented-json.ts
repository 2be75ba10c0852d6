import type { Node, ParseError } from "jsonc-parser";
import { text } from "../runtime/base/check-options.js";
import { checkArguments } from "../generator/base/check-arguments.js";
import { InputError } from "../generator/base/input-error.js";
import { loadJsoncParser } from "../generator/base/packages.js";
import type { Json } from "../generator/model/types.js";
import { readTextFile } from "../generator/read/source/input-source.js";
import {
  nearestNode,
  positionOf,
  maxInputDepth,
  type JsonFile,
} from "../generator/read/source/json-text.js";
import { setField } from "../runtime/base/own-fields.js";

/** A JSON file that may contain comments and trailing commas, as editors allow. */
export interface CommentedFile extends JsonFile {
  readonly text: string;
  /**
   * Returns the location of a property's key, whereas `locate` returns the location of its value.
   */
  locateKey(pointer: string): ReturnType<JsonFile["locate"]>;
}

/**
 * Reads a JSON file that may contain comments and trailing commas.
 *
 * @throws InputError `ERR_READ`, `ERR_JSON` or `ERR_TOO_DEEP`, with the line and column.
 */
export async function readCommentedFile(name: string): Promise<CommentedFile> {
  checkArguments("readCommentedFile", { name: [name, text] });
  return readCommentedText(await readTextFile(name), name);
}

export function readCommentedText(source: string, name: string): CommentedFile {
  const text = source.replace(/^\uFEFF/, "");
  const { parseTree, printParseErrorCode } = loadJsoncParser();
  refuseDepth(text, name);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [fault] = errors;
  if (fault !== undefined || root === undefined) {
    const what = fault === undefined ? "ValueExpected" : printParseErrorCode(fault.error);
    const words = what.replaceAll(/(?<=[a-z])([A-Z])/g, " $1").toLowerCase();
    const location = { file: name, ...positionOf(text, fault?.offset ?? 0) };
    throw new InputError("ERR_JSON", `Cannot parse JSON with comments: ${words}`, location);
  }
  const placeOf = (pointer: string, node: Node): ReturnType<JsonFile["locate"]> => ({
    file: name,
    pointer,
    ...positionOf(text, node.offset),
  });
  return {
    name,
    text,
    value: valueOf(root),
    locate: (pointer) => placeOf(pointer, nearestNode(root, pointer)),
    locateKey(pointer) {
      const node = nearestNode(root, pointer);
      return placeOf(pointer, node.parent?.type === "property" ? node.parent : node);
    },
  };
}

/** Converts a node to a value. Unlike the parser's own conversion, this never sets a prototype. */
function valueOf(node: Node): Json {
  if (node.type === "array") return (node.children ?? []).map(valueOf);
  if (node.type !== "object") return node.value as Json;
  const value: Record<string, Json> = {};
  for (const { children = [] } of node.children ?? []) {
    const [key, part] = children;
    if (part !== undefined) setField(value, key!.value as string, valueOf(part));
  }
  return value;
}

/** Rejects deeply nested input before the recursive parser runs. */
function refuseDepth(text: string, name: string): void {
  const { createScanner } = loadJsoncParser();
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token = scanner.scan() as number; token !== endOfFile; token = scanner.scan())
    if (token === openBrace || token === openBracket) {
      if (++depth > maxInputDepth)
        throw new InputError(
          "ERR_TOO_DEEP",
          `Cannot read JSON nested more than ${maxInputDepth} levels deep`,
          { file: name, ...positionOf(text, scanner.getTokenOffset()) },
        );
    } else if (token === closeBrace || token === closeBracket) depth--;
}

/** The parser's token kinds. The parser declares its own constants only as types. */
const [openBrace, closeBrace, openBracket, closeBracket, endOfFile] = [1, 2, 3, 4, 17];
