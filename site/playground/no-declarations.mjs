/**
 * Replaces ts-morph, whose compiler is larger than all the rest. Reading declarations fails with
 * this sentence.
 */
export const ts = undefined;
export class Project {
  constructor() {
    throw new Error("Declarations (.d.ts) are read by the command only: use a schema here");
  }
}
