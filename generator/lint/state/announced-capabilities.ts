import { isAnnounced, isObject } from "../../../runtime/index.js";
import type { Protocol } from "../../model/protocol.js";
import type { JudgedMessage } from "./judged-message.js";
import type { JudgedProtocol } from "./judged-protocol.js";

/** `true`: it is announced; `false`: it is not; `default`: it is announced, or nothing is said of it. */
export type FlagTest = boolean | "default";

/** What of a session is in the recording. */
interface Heard {
  readonly isOneSided: boolean;
  readonly isPartial: boolean;
}

/** What each role has announced to be able to do. */
export class AnnouncedCapabilities {
  readonly #protocol: Protocol;
  readonly #judged: JudgedProtocol;
  readonly #heard: Heard;
  /** Roles that have announced all that they can do, and not only changes. */
  readonly #told = new Set<string>();
  readonly #needed: ReadonlyMap<string, ReadonlySet<string>>;
  /** By role, the flags that something depends on. */
  readonly #announced = new Map<string, Map<string, boolean>>();

  /**
   * @param heard What of the session is in the recording.
   * @param flags More flags that something depends on: `adapter.supportsStepBack`.
   */
  constructor(judged: JudgedProtocol, heard: Heard, flags: readonly string[]) {
    this.#protocol = judged.protocol;
    this.#judged = judged;
    this.#heard = heard;
    this.#needed = new Map(
      [...judged.neededFlags].map(([role, own]) => [
        role,
        new Set([...own, ...flags.filter((each) => roleOf(each) === role).map(nameOf)]),
      ]),
    );
  }

  has(role: string, flag: string): boolean {
    const announced = this.#announced.get(role);
    const { isOneSided, isPartial } = this.#heard;
    // What is not in the recording may have announced anything.
    if (announced === undefined) return isOneSided || isPartial;
    return announced.get(flag) ?? (isPartial && !this.#told.has(role));
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
    const isOwn = part === "payload" ? kind === "request" : kind === "response";
    if (name === request && isOwn) {
      this.#told.add(from);
      const field = part === "payload" ? envelope.request.payload : envelope.response?.result;
      this.#add(from, fields[field ?? ""]);
    }
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
