/**
 * Replaces ts-morph, whose compiler is larger than the rest of the bundle. As a consequence,
 * reading declarations fails with the error below.
 */
export const ts = undefined;
export class Project {
  constructor() {
    throw new Error("Only the command-line tool can read declarations (.d.ts): use a schema here");
  }
}
