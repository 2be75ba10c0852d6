import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConfigurationSource } from "../../launch/configuration-set.js";
import { readConfigurations } from "../../launch/read-configurations.js";
import { withFolder } from "./compile.js";
import { fromRoot } from "./paths.js";

export const fixture = (name: string): string => fromRoot(`test/fixtures/configurations/${name}`);

/** Reads a package.json with one debugger. */
export function read(entry: object, texts?: object): Promise<ConfigurationSource> {
  return withFolder(async (folder) => {
    const path = join(folder, "package.json");
    writeFileSync(path, JSON.stringify({ contributes: { debuggers: [entry] } }, null, 1));
    if (texts !== undefined)
      writeFileSync(join(folder, "package.nls.json"), `// texts\n${JSON.stringify(texts)}`);
    return readConfigurations(path);
  });
}

/** Reads the `launch` attributes from a package.json. */
export function readLaunch(launch: unknown, texts?: object): Promise<ConfigurationSource> {
  return read({ type: "t", label: "%label%", configurationAttributes: { launch } }, texts);
}

/** The pointer to the attributes that `readLaunch` reads. */
export const attributes = "/contributes/debuggers/0/configurationAttributes";
