import type { Protocol } from "../../model/protocol.js";
import { docTag } from "../printer/doc-comment.js";
import { hasSpellings } from "./notation.js";
import { quote, type SourceFile } from "../printer/source-file.js";

const runtime = "./runtime/index.js";

/** Prints `codec.ts`: decoder, encoder and peek of the runtime, with the protocol's types and framing. */
export function emitCodec(protocol: Protocol, file: SourceFile): void {
  const words = codecWords(protocol, file);
  emitDecoder(words, file);
  emitFrames(words, file);
  emitEncoder(words, file);
  if (words.isJson) emitPeek(file);
  emitReader(words, file);
}

function emitDecoder({ isJson, framing, ...words }: CodecWords, file: SourceFile): void {
  const decoder = file.importValue("FrameDecoder", runtime);
  const frame = file.importType("Frame", runtime);
  file.doc("Settings of a decoder: limits, recovery, what to do with faults and noise.");
  const settings = streamSettings(file);
  file.block(`export interface DecoderOptions extends ${settings} {`, "}", () => {
    file.doc(
      "Called with each message, sorted into known, custom and malformed. The frame is valid during the call.",
    );
    const classified = file.importType("Classified", "./classify.js");
    file.line(`readonly onMessage: (message: ${classified}, frame: ${frame}) => void;`);
    emitDialect({ isJson }, file);
    emitFrom("Who sends what is decoded.", words, file);
  });
  file.line();
  file.doc(
    "Bytes in any chunking become messages of the protocol: `push` each chunk, `end` at the end.",
  );
  file.block(`export function createDecoder(options: DecoderOptions): ${decoder} {`, "}", () => {
    file.line(`const { onMessage${isJson ? ", dialect" : ""} } = options;`);
    file.block(`return new ${decoder}({`, "});", () => {
      file.line("...options,");
      file.line(`framing: ${framing},`);
      const sorted = classify(readMessage("dialect", { isJson }, file), file);
      file.line(`onMessage: (message, frame) => onMessage(${sorted}, frame),`);
    });
  });
  file.line();
}

function emitFrames({ framing, ...words }: CodecWords, file: SourceFile): void {
  const decoder = file.importValue("FrameDecoder", runtime);
  file.doc("Settings of a decoder that does not parse.");
  file.block(`export interface FramesOptions extends ${streamSettings(file)} {`, "}", () => {
    file.doc("Called with each frame. Valid during the call.");
    file.line(`readonly onFrame: (frame: ${file.importType("Frame", runtime)}) => void;`);
    emitFrom("Who sends what is decoded.", words, file);
  });
  file.line();
  file.doc("Bytes in any chunking become frames with unparsed bodies, for routers and proxies.");
  file.block(`export function decodeFrames(options: FramesOptions): ${decoder} {`, "}", () => {
    file.line(`return new ${decoder}({ ...options, framing: ${framing} });`);
  });
  file.line();
}

function emitEncoder({ framing, message, ...words }: CodecWords, file: SourceFile): void {
  const encoder = file.importValue("FrameEncoder", runtime);
  const settings = `Omit<${file.importType("FrameEncoderOptions", runtime)}, "framing">`;
  file.doc("Messages of the protocol become bytes, a frame an array.");
  file.block("export interface Encoder {", "}", () => {
    file.doc(
      "One message as its frame, to be written with one call.",
      docTag("throws", "EncodeError with the path of what cannot be written."),
    );
    file.line(`encode(message: ${message}): Uint8Array;`);
    file.doc("Many messages in one array.");
    file.line(`encodeInto(batch: readonly (${message})[]): Uint8Array;`);
  });
  file.line();
  if (!words.same) {
    file.doc("Settings of an encoder.");
    file.block(`export interface EncoderOptions extends ${settings} {`, "}", () =>
      emitFrom("Who sends what is encoded.", words, file),
    );
    file.line();
  }
  const parameter = words.same ? `options: ${settings} = {}` : "options: EncoderOptions";
  file.block(`export function createEncoder(${parameter}): Encoder {`, "}", () => {
    file.line(`return new ${encoder}({ ...options, framing: ${framing} });`);
  });
  file.line();
}

function emitPeek(file: SourceFile): void {
  const table = file.importValue("protocol", "./protocol.js");
  const type = file.importType("Peek", runtime);
  const create = file.importValue("createPeek", runtime);
  file.doc("Reads the envelope of a message from its bytes, without parsing the rest.");
  file.line(`export const peek: ${type} = /* @__PURE__ */ ${create}(${table}.envelope);\n`);
}

function emitReader({ framing, isJson, ...words }: CodecWords, file: SourceFile): void {
  file.doc("Settings of a reader.");
  file.block(`export interface ReadOptions extends ${streamSettings(file)} {`, "}", () => {
    emitDialect({ isJson }, file);
    emitFrom("Who sends what is read.", words, file);
  });
  file.line();
  file.doc("The messages of any source of bytes, one by one, at the pace of who takes them.");
  file.declare(
    "export async function* readMessages",
    [
      "source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>",
      words.same ? "options: ReadOptions = {}" : "options: ReadOptions",
    ],
    `): AsyncGenerator<${file.importType("Classified", "./classify.js")}, void, void> {`,
    () => {
      const decode = file.importValue("decodeMessages", runtime);
      file.line(`const settings = { ...options, framing: ${framing} } as const;`);
      file.block(`for await (const message of ${decode}(source, settings)) {`, "}", () =>
        file.line(`yield ${classify(readMessage("options.dialect", { isJson }, file), file)};`),
      );
    },
  );
}

/** The settings that all decoders have. */
function streamSettings(file: SourceFile): string {
  return `Omit<${file.importType("StreamOptions", runtime)}, "framing">`;
}

/** Prints who speaks, where the two sides frame or spell their messages differently. */
function emitFrom(
  docs: string,
  { same, roles, isSpelled }: Pick<CodecWords, "same" | "roles" | "isSpelled">,
  file: SourceFile,
): void {
  if (!same) {
    file.doc(docs);
    file.line(`readonly from: ${roles};`);
  }
  if (isSpelled) {
    file.doc("Dialect whose spelling is used.");
    file.line(`readonly spelling?: ${file.importType("SpellingName", "./notation.js")};`);
  }
}

function emitDialect({ isJson }: Pick<CodecWords, "isJson">, file: SourceFile): void {
  if (!isJson) return;
  file.doc("What the peer speaks, if not the protocol to the letter.");
  file.line(`readonly dialect?: ${file.importType("Dialect", runtime)};`);
}

/** A message as the protocol has it, whatever the peer speaks. */
function readMessage(
  dialect: string,
  { isJson }: Pick<CodecWords, "isJson">,
  file: SourceFile,
): string {
  return isJson ? `${file.importValue("readAs", runtime)}(${dialect}, message)` : "message";
}

function classify(message: string, file: SourceFile): string {
  return `${file.importValue("classify", "./classify.js")}(${message})`;
}

/** Prints `node.ts`: the codec on Node streams. */
export function emitNodeCodec(protocol: Protocol, file: SourceFile): void {
  const node = "./runtime/node.js";
  const { same, framing, message, isJson } = codecWords(protocol, file);
  file.doc("A Node transform from bytes to messages, sorted as `classify` sorts them.");
  const transform = file.importValue("createDecoderTransform", node);
  const read = file.importType("ReadOptions", "./codec.js");
  file.declare(
    "export function createMessageTransform",
    [same ? `options: ${read} = {}` : `options: ${read}`],
    `): ReturnType<typeof ${transform}> {`,
    () => {
      if (isJson) file.line("const { dialect } = options;");
      file.line(`const settings = { ...options, framing: ${framing} } as const;`);
      const sorted = classify(readMessage("dialect", { isJson }, file), file);
      file.line(`return ${transform}(settings, (message) => ${sorted});`);
    },
  );
  file.line();
  file.doc("Writes messages to a Node stream, one write each.");
  file.block("export interface MessageWriter {", "}", () => {
    file.doc("Resolves when the stream can take more; rejects if it fails.");
    file.line(`write(message: ${message}): Promise<void>;`);
  });
  file.line();
  file.doc("A writer for a socket, a child's standard input or the process's own output.");
  const writer = file.importValue("createMessageWriter", node);
  file.declare(
    "export function createWriter",
    [
      `stream: Parameters<typeof ${writer}>[0]`,
      same
        ? `options: Omit<${file.importType("FrameEncoderOptions", runtime)}, "framing"> = {}`
        : `options: ${file.importType("EncoderOptions", "./codec.js")}`,
    ],
    "): MessageWriter {",
    () =>
      file.list(`return ${writer}(stream, {`, ["...options", `framing: ${framing}`], "});", " "),
  );
}

/** Whether both sides frame and spell their messages alike. */
export function hasOneFraming({ framing, notations, roles: [first, second] }: Protocol): boolean {
  return notations === undefined && framing[first] === framing[second];
}

/** Whether any role writes its messages as JSON. */
export function speaksJson({ notations, roles }: Protocol): boolean {
  return roles.some((role) => notations?.[role] === undefined);
}

/** What both modules say of a protocol: its framing, by who speaks if the two sides differ, and its messages. */
interface CodecWords {
  /** Whether both sides frame and spell their messages alike. */
  readonly same: boolean;
  readonly roles: string;
  readonly framing: string;
  readonly message: string;
  /** Whether any role spells its messages in JSON, and whether dialects spell them otherwise. */
  readonly isJson: boolean;
  readonly isSpelled: boolean;
}

function codecWords(protocol: Protocol, file: SourceFile): CodecWords {
  const { notations } = protocol;
  const same = hasOneFraming(protocol);
  const isSpelled = hasSpellings(protocol);
  const notation = (): string =>
    `${file.importValue("framingOf", "./notation.js")}(options.from${isSpelled ? ", options.spelling" : ""})`;
  return {
    same,
    isJson: speaksJson(protocol),
    isSpelled,
    roles: protocol.roles.map(quote).join(" | "),
    framing: same
      ? quote(protocol.framing[protocol.roles[0]]!)
      : notations !== undefined
        ? notation()
        : `${file.importValue("protocol", "./protocol.js")}.framing[options.from]`,
    message: `${file.importType("KnownMessage", "./messages.js")} | ${file.importType("CustomMessage", "./messages.js")}`,
  };
}
