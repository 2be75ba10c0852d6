import { readFileSync } from "node:fs";
import { withFolder, writeFiles } from "./compile.js";
import { fromRoot } from "./paths.js";

export const interfaces = readFileSync(fromRoot("test/fixtures/configurations/notes.d.ts"), "utf8");

export const schema = readFileSync(
  fromRoot("test/fixtures/configurations/notes.schema.json"),
  "utf8",
);

/** A package.json with unusual formatting, and with attributes from an earlier version. */
export const manifest = `{
	"name": "notes", "keywords": ["a", "b"],
	"contributes": {
		"debuggers": [
			{ "type": "other", "configurationAttributes": { "launch": { "properties": {} } } },
			{ "type": "notes", "label": "Notes",
			  "configurationAttributes": {
				"launch": { "required": ["program"], "properties": {
					"program": { "description": "%program%",   "type": ["string"], "order": 1 },
					"gone": { "type": "string" },
					"port": {"type":"number", "default": 1, "suggestSortText": "b"}
				} }
			  }
			}
		]
	}
}
`;

export function withProject(use: (folder: string) => void | Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    writeFiles(folder, {
      "launch.ts": interfaces,
      "launch.schema.json": schema,
      "package.json": manifest,
      "package.nls.json": '{\n  // for translators\n  "program": "An old text."\n}\n',
    });
    await use(folder);
  });
}
