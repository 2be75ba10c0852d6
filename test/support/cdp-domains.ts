import { join } from "node:path";
import { withFolder, writeFiles } from "./compile.js";

export const page = {
  version: { major: "1", minor: "9" },
  domains: [
    {
      domain: "Page",
      types: [
        { id: "FrameId", type: "string", description: "Names a frame." },
        {
          id: "Frame",
          type: "object",
          properties: [
            { name: "id", $ref: "FrameId" },
            { name: "kind", type: "string", enum: ["top", "inner"], optional: true },
            { name: "object", $ref: "Runtime.ObjectId", optional: true, experimental: true },
          ],
        },
        { id: "Bytes", type: "binary" },
      ],
      commands: [
        {
          name: "navigate",
          description: "Goes to a page.",
          parameters: [
            { name: "url", type: "string" },
            {
              name: "frames",
              type: "array",
              items: { $ref: "FrameId" },
              minItems: 1,
              optional: true,
            },
          ],
          returns: [{ name: "frame", $ref: "Frame" }],
        },
        { name: "stop", parameters: [{ name: "now", type: "boolean", optional: true }] },
      ],
      events: [
        { name: "gone" },
        { name: "moved", deprecated: true, parameters: [{ name: "any", type: "any" }] },
      ],
    },
  ],
};

export const runtime = {
  version: { major: "1", minor: "9" },
  domains: [{ domain: "Runtime", types: [{ id: "ObjectId", type: "integer" }] }],
};

export function inFiles<Result>(
  documents: Readonly<Record<string, object>>,
  use: (folder: string, paths: string[]) => Result | Promise<Result>,
): Promise<Result> {
  return withFolder((folder) => {
    const texts = Object.entries(documents).map(([name, document]): [string, string] => [
      name,
      JSON.stringify(document, null, 2),
    ]);
    writeFiles(folder, new Map(texts));
    return use(
      folder,
      texts.map(([name]) => join(folder, name)),
    );
  });
}

export interface Connection {
  request(name: string, parameters?: object, options?: object): Promise<never>;
  once(name: string, options?: object): Promise<unknown>;
  on(name: string, listener: (body: unknown, message: Message) => void): () => void;
  close(): Promise<void>;
}

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
}
