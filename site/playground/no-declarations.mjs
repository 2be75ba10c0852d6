/**
 * Replaces ts-morph, because its compiler is larger than the rest of the bundle. Reading
 * declarations therefore fails with this error.
 */
export const ts = undefined;
export class Project {
  constructor() {
    throw new Error("Declarations (.d.ts) are read by the command only: use a schema here");
  }
}
