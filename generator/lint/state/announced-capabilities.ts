import { isAnnounced, isObject } from "../../../runtime/index.js";
import type { Protocol } from "../../model/protocol.js";
import type { JudgedMessage } from "./judged-message.js";
import type { JudgedProtocol } from "./judged-protocol.js";

/** `true`: it is announced; `false`: it is not; `default`: it is announced, or nothing is said of it. */
export type FlagTest = boolean | "default";

/** What each role has announced to be able to do. */
export class AnnouncedCapabilities {
  readonly #protocol: Protocol;
  readonly #judged: JudgedProtocol;
  readonly #isOneSided: boolean;
  readonly #needed: ReadonlyMap<string, ReadonlySet<string>>;
  /** By role, the flags that something depends on. */
  readonly #announced = new Map<string, Map<string, boolean>>();

  /** @param flags More flags that something depends on: `adapter.supportsStepBack`. */
  constructor(judged: JudgedProtocol, isOneSided: boolean, flags: readonly string[]) {
    this.#protocol = judged.protocol;
    this.#judged = judged;
    this.#isOneSided = isOneSided;
    this.#needed = new Map(
      [...judged.neededFlags].map(([role, own]) => [
        role,
        new Set([...own, ...flags.filter((each) => roleOf(each) === role).map(nameOf)]),
      ]),
    );
  }

  has(role: string, flag: string): boolean {
    const announced = this.#announced.get(role);
    // A side that is not in the recording may have announced anything.
    if (announced === undefined) return this.#isOneSided;
    return announced.get(flag) === true;
  }

  /** @param flag Such as `adapter.supportsStepBack`. */
  isMet(flag: string, test: FlagTest): boolean {
    const role = roleOf(flag);
    if (test === true) return this.has(role, nameOf(flag));
    const announced = this.#announced.get(role);
    if (announced === undefined) return false;
    const value = announced.get(nameOf(flag));
    return test === "default" ? value !== false : value !== true;
  }

  follow({ kind, from, name, fields }: JudgedMessage): void {
    const source = this.#judged.capabilitySources[from];
    if (source === undefined) return;
    const { envelope } = this.#protocol;
    const { request, part, update } = source;
    if (name === request && part === "payload" && kind === "request")
      this.#add(from, fields[envelope.request.payload]);
    if (name === request && part === "result" && kind === "response")
      this.#add(from, fields[envelope.response?.result ?? ""]);
    if (update !== undefined && kind === "event" && name === update.event) {
      const changes = fields[envelope.event.payload];
      this.#add(from, isObject(changes) ? changes[update.field] : undefined);
    }
  }

  #add(role: string, flags: unknown): void {
    if (!isObject(flags)) return;
    let announced = this.#announced.get(role);
    if (announced === undefined) this.#announced.set(role, (announced = new Map()));
    for (const flag of this.#needed.get(role)!)
      if (Object.hasOwn(flags, flag)) announced.set(flag, isAnnounced(flags, flag));
  }
}

function roleOf(flag: string): string {
  return flag.slice(0, flag.indexOf("."));
}

function nameOf(flag: string): string {
  return flag.slice(flag.indexOf(".") + 1);
}
