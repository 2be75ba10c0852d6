import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SaxesParser } from "saxes";
import {
  createDecoder,
  createEncoder,
  createFrameDecoder,
  notations,
  type DebuggerToFrontend,
  type SpellingName,
} from "@wirewright/ruby-debug-ide";
import { validate } from "@wirewright/ruby-debug-ide/validators";
import { everyCut, logOf, readFrameCases } from "../../support/frame-cases.js";
import { ElementReader } from "../../../runtime/spellings/element-reader.js";
import { unescapeCharacters } from "../../../runtime/spellings/character-references.js";
import { rubySessions } from "../../support/recorded-sessions.js";
import { pushPieces } from "../../support/stream-oracles.js";

for (const { name, bytes, log, options } of readFrameCases("test/cases/xml-concat.md")) {
  test(`a decoder returns the same result no matter how its input is split: ${name}`, () => {
    for (const { name: cut, cuts } of everyCut(bytes.length)) {
      assert.deepEqual(
        logOf(bytes, cuts, { ...options, framing: notations.debugger }),
        log,
        `${cut}: ${JSON.stringify(cuts).slice(0, 200)}`,
      );
    }
  });
}

for (const { name, folder } of rubySessions) {
  test(`the recording "${name}" is decoded without gaps, no matter how it is split`, () => {
    const bytes = readFileSync(join(folder, `${name}.s2c.bin`));
    const places = (cuts: readonly number[]): readonly string[] => {
      const found: string[] = [];
      const decoder = createFrameDecoder({
        from: "debugger",
        onFrame: ({ offset, bodyLength }) => found.push(`${offset}+${bodyLength}`),
        onFault: ({ code, offset }) => found.push(`${code} at ${offset}`),
      });
      pushPieces(decoder, bytes, cuts);
      decoder.end();
      return found;
    };
    const whole = places([]);
    let end = 0;
    for (const place of whole) {
      const [offset, length] = place.split("+").map(Number);
      assert.equal(offset, end);
      end = offset! + length!;
    }
    assert.equal(end, bytes.length);
    const ways = [...everyCut(bytes.length)];
    // Long streams are split only at every third offset.
    const some = ways.filter(
      ({ name: way, cuts }) =>
        !way.startsWith("split") || bytes.length < 7_000 || cuts[0]! % 3 === 0,
    );
    for (const { name: cut, cuts } of some) assert.deepEqual(places(cuts), whole, cut);
  });

  test(`every message in "${name}" is known and valid, and encodes to the same bytes`, () => {
    const spelling: { spelling?: SpellingName } = name.includes("rubymine")
      ? { spelling: "rubymine" }
      : {};
    const encoder = createEncoder({ from: "debugger", ...spelling });
    const decoder = createDecoder({
      from: "debugger",
      onMessage: (message, frame) => {
        const raw = Buffer.from(frame.raw);
        assert.equal(message.status, "known", raw.toString());
        assert.ok(validate(message.message).ok, raw.toString());
        const known = message.message as DebuggerToFrontend;
        // Text that directly precedes an element cannot be written on its own.
        if (known.element === "#text" && !known.body.text.endsWith("\n")) return;
        // Skip invalid UTF-8, which the decoder has replaced.
        if (raw.toString() === raw.toString("latin1") || !raw.toString().includes("\ufffd"))
          assert.equal(Buffer.from(encoder.encode(known)).toString(), raw.toString());
      },
      onFault: (error) => assert.fail(JSON.stringify({ ...error, cause: String(error.cause) })),
    });
    decoder.push(readFileSync(join(folder, `${name}.s2c.bin`)));
    decoder.end();
  });

  test(`an XML parser reads the same elements from "${name}"`, () => {
    let compared = 0;
    const decoder = createFrameDecoder({
      from: "debugger",
      onFrame: (frame) => {
        const text = Buffer.from(frame.raw).toString();
        // Skip text, unescaped values, and characters that XML cannot represent.
        if (!text.startsWith("<") || text.startsWith("<eval") || /[\0-\x08\ufffd]/.test(text))
          return;
        compared++;
        assert.deepEqual(byOurs(text), bySaxes(text), text);
      },
    });
    decoder.push(readFileSync(join(folder, `${name}.s2c.bin`)));
    decoder.end();
    assert.ok(compared > 0);
  });

  test(`every command in "${name}" is known, and keeps its meaning when it is written`, () => {
    const encoder = createEncoder({ from: "frontend" });
    const unknown: string[] = [];
    const decoder = createDecoder({
      from: "frontend",
      onMessage: (message, frame) => {
        if (message.status === "custom") unknown.push(Buffer.from(frame.body).toString());
        if (message.status !== "known" || message.kind !== "request") return;
        assert.ok(validate(message.message).ok, JSON.stringify(message.message));
        const line = Buffer.from(encoder.encode(message.message)).toString().trimEnd();
        assert.deepEqual(notations.frontend.readLine(line), [message.message]);
      },
      onFault: (error) => assert.fail(JSON.stringify({ ...error, cause: String(error.cause) })),
    });
    decoder.push(readFileSync(join(folder, `${name}.c2s.bin`)));
    decoder.end();
    assert.deepEqual(unknown, unknownCommands[name] ?? []);
  });
}

/** Lines that the debugger refused or did not recognise as commands. */
const unknownCommands: Readonly<Record<string, readonly string[]>> = {
  counter: ["help"],
  breakpoints: ["enable x", "delete x", "catch Foo bar", "frame x", "up x"],
  one_help: ["help"],
  percent_unknown_command: ["foo 100% bar"],
};

interface Tree {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly elements: readonly Tree[];
}

/** Reads an element with our reader, in generic form. */
function byOurs(text: string): Tree {
  const tree = (name: string, element: Unknown): Tree => ({
    name,
    attributes: element.attributes,
    text: element.text ?? "",
    elements: (element.elements ?? []).map((each) => tree(each.element, each)),
  });
  const { name, body } = new ElementReader(() => undefined).read(text);
  return tree(name, body as Unknown);
}

interface Unknown {
  readonly attributes: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly elements?: readonly (Unknown & { readonly element: string })[];
}

/**
 * Reads an element with an XML parser. Line breaks and tabs in attributes are encoded first,
 * because the parser would return them as spaces.
 */
function bySaxes(text: string): Tree {
  const parser = new SaxesParser({ fragment: true });
  const open: {
    name: string;
    attributes: Record<string, string>;
    text: string;
    elements: Tree[];
  }[] = [{ name: "", attributes: {}, text: "", elements: [] }];
  let source = "";
  parser.on("opentag", ({ name, attributes }) =>
    open.push({
      name,
      attributes: { ...(attributes as Record<string, string>) },
      text: "",
      elements: [],
    }),
  );
  parser.on("text", (part) => (open.at(-1)!.text += part));
  // A CDATA section contains escaped text.
  parser.on("cdata", (part) => (open.at(-1)!.text += unescapeCharacters(part)));
  parser.on("closetag", () => {
    const element = open.pop()!;
    open.at(-1)!.elements.push(element);
  });
  parser.on("error", (error) => {
    throw error;
  });
  for (const character of text)
    source +=
      character === "\n" || character === "\t" ? `&#${character.codePointAt(0)};` : character;
  parser.write(source.replaceAll(/>(&#10;|&#9;)+</g, "><")).close();
  return open[0]!.elements[0]!;
}
