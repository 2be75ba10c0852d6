import { fromRoot } from "../../../test/support/paths.js";
import type { InputError } from "../../../generator/base/input-error.js";
import { OracleFailure } from "../target.js";

export type Generator = typeof import("../../../cli/index.js");

/** Path of the protocol description that targets use when reading schemas. */
export const elementary: string = fromRoot("test/fixtures/elementary/protocol.json");

/** Checks that an input error's message is printable, and rethrows any other error. */
export async function refusable(
  modules: {
    readonly InputError: Generator["InputError"];
    readonly formatInputError: Generator["formatInputError"];
  },
  read: () => Promise<void>,
): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof modules.InputError)) throw error;
    const { message, code } = error as InputError;
    const sentence = modules.formatInputError(error as InputError);
    if (message === "" || !sentence.includes(code))
      throw new OracleFailure("sentence", `${code}: ${JSON.stringify(sentence)}`);
  }
}
