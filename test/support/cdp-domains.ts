import { join } from "node:path";
import { withFolder, writeFiles } from "./compile.js";
import { readJson } from "./paths.js";

/** The parts of a domain that tests change. */
interface Domains {
  readonly domains: { readonly types: { type: string }[] }[];
}

export const page = readJson("test/fixtures/documents/page.json") as Domains;

export const runtime = readJson("test/fixtures/documents/runtime.json") as Domains;

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
