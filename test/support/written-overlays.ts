import { join } from "node:path";
import { withFolder, writeFiles } from "./compile.js";

export async function withOverlay<Result>(
  overlays: readonly unknown[],
  use: (paths: string[]) => Promise<Result>,
): Promise<Result> {
  return withFolder(async (folder) => {
    writeFiles(
      folder,
      Object.fromEntries(
        overlays.map((overlay, index) => [
          `overlay-${index}.json`,
          JSON.stringify(overlay, null, 2),
        ]),
      ),
    );
    return use(overlays.map((_, index) => join(folder, `overlay-${index}.json`)));
  });
}
