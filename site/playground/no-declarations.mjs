/** Stands in for ts-morph, whose compiler is larger than all the rest. Whoever reads declarations gets this sentence. */
export const ts = undefined;
export class Project {
  constructor() {
    throw new Error("Declarations (.d.ts) are read by the command only: use a schema here");
  }
}
