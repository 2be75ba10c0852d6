import { withFolder, writeFiles } from "./compile.js";
import { runCommand } from "./run-command.js";

export const manifest = JSON.stringify({
  contributes: {
    debuggers: [
      {
        type: "notes",
        configurationAttributes: {
          launch: {
            required: ["program"],
            properties: {
              program: { type: "string" },
              port: { type: "integer", minimum: 1, errorMessage: "Choose a free port" },
              trace: { enum: ["off", "verbose"] },
              label: {
                type: "string",
                pattern: "^[a-z]+$",
                patternErrorMessage: "Use small letters",
              },
              log: { type: "boolean", deprecationMessage: "Use trace" },
              hosts: { type: "array", items: { type: "string" } },
            },
          },
          attach: { properties: { port: { type: ["integer", "string"] } } },
        },
      },
    ],
  },
});

export const launchFile = `{
  // A file as people write it.
  "version": "0.2.0",
  "configurations": [
    {
      "name": "A", "type": "notes", "request": "launch",
      "progam": "x",
      "port": "\${input:port}", /* text */
      "trace": "verbos",
      "label": "No",
      "log": true,
      "hosts": ["a", 1],
      "osx": { "prot": 3, "port": 0 },
    },
    { "name": "A", "type": "note", "request": "launch" },
    { "name": "B", "type": "python", "request": "launch" },
    { "name": "C", "type": "notes", "request": "atach" },
    { "name": "D", "request": "launch" },
    7,
  ],
  "compounds": [{ "name": "all", "configurations": ["A", "BB", { "name": "x", "folder": "f" }] }],
  "inputs": [{ "id": "prt", "type": "promptString" }],
  "input": [],
}
`;

export interface Report {
  readonly file: string;
  readonly against: readonly string[];
  readonly counts: object;
  readonly findings: readonly {
    readonly severity: string;
    readonly rule: string;
    readonly place: {
      readonly file: string;
      readonly line: number;
      readonly column: number;
      readonly pointer: string;
    };
    readonly message: string;
    readonly hint?: string;
  }[];
}

/** Runs `wirewright lint` in a folder that contains a package.json and a launch.json. */
export function lint(
  args: readonly string[],
  files: Record<string, string> = {},
  input?: string,
): Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }> {
  return withFolder((folder) => {
    writeFiles(folder, { "package.json": manifest, "launch.json": launchFile, ...files });
    return runCommand(folder, ["lint", ...args], input);
  });
}
