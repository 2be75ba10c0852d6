import { fieldTableOf } from "../model/field-table.js";
import type { EventMessage, Protocol, RequestMessage } from "../model/protocol.js";
import { definitionsByName } from "../model/queries.js";
import type { Definition } from "../model/types.js";
import { visible } from "../visible-text.js";
import {
  createValidator,
  describeIssue,
  isAnnounced,
  isObject,
  mergeFlags,
  visitMessage,
  type AnyVisitors,
  wireTolerances,
  type EnvelopeTable,
  type ValidationIssue,
  type Validator,
} from "../../runtime/index.js";
import { hasFailed, isOfArm } from "../../runtime/validation-checks.js";
import { announcementsOf, type Announcement } from "../model/announcements.js";
import { HostSession } from "./host-session.js";
import type { HostTable } from "./host-table.js";
import { messageRuleOf } from "./model-rules.js";
import type { RecordedEntry } from "./recording.js";
import { lintRules, type LintFinding } from "./rules.js";
import { walkTyped, type Fields } from "./typed-walk.js";

type Kind = "request" | "event" | "response";

/** Milliseconds after which a response is late. */
const lateAfter = 10_000;

/** Requests and references that are remembered at most: a session may go on for days. */
const remembered = 100_000;

/** How strict messages are judged: to the letter, or by what a tolerant reader can use. */
export type LintProfile = "strict" | "wire";

interface Asked {
  readonly name: string;
  readonly index: number;
  readonly label: string;
  readonly time: number | undefined;
  isAnswered: boolean;
}

export interface LintOptions {
  /** Default: `wire`. */
  readonly profile?: LintProfile;
  /** What one side said is all there is: what takes both to judge is not judged. Default: false. */
  readonly isOneSided?: boolean;
  /** A host that the messages are for. */
  readonly host?: HostTable | undefined;
  readonly onFinding: (finding: LintFinding) => void;
  /** Called with each message before it is judged. */
  readonly onMessage?: (message: LintedMessage) => void;
}

/** A message in words. */
export interface LintedMessage {
  /** Which session of the recording, if it has several; and its number in it, from 1. */
  readonly session?: number;
  readonly index: number;
  readonly from: string;
  readonly kind: "request" | "event" | "response" | "none";
  readonly label: string;
  readonly hasFailed: boolean;
  /** Milliseconds since the session began, and since its request; where they are known. */
  readonly time?: number;
  readonly latency?: number;
}

/** Judges a session, an entry after the other. */
export class LintSession {
  readonly #protocol: Protocol;
  readonly #profile: LintProfile;
  readonly #isOneSided: boolean;
  readonly #validate: Validator<unknown>;
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #requests: ReadonlyMap<string, RequestMessage>;
  readonly #events: ReadonlyMap<string, EventMessage>;
  readonly #announcements: Readonly<Record<string, Announcement>>;
  readonly #fields: ReturnType<typeof fieldTableOf> | undefined;
  readonly #onFinding: (finding: LintFinding) => void;
  readonly #onMessage: LintOptions["onMessage"];
  /** What each role has asked, by number. */
  readonly #asked = new Map<string, Map<unknown, Asked>>();
  readonly #lastNumber = new Map<string, number>();
  /** What each role has announced. */
  readonly #announced = new Map<string, object>();
  #isOpen = false;
  /** Stops after the program ran on, and the one at which each reference was last given. */
  #stop = 0;
  #hasResumed = false;
  readonly #given = new Map<string, number>();
  /** What is done with references in messages of the side that uses them, and of the one that gives them. */
  readonly #uses: AnyVisitors;
  readonly #gives: AnyVisitors;
  #host: HostSession | undefined;
  #index = 0;
  #entry: RecordedEntry = {};
  #label = "";

  constructor(
    protocol: Protocol,
    { profile = "wire", isOneSided = false, host, onFinding, onMessage }: LintOptions,
  ) {
    this.#protocol = protocol;
    this.#profile = profile;
    this.#isOneSided = isOneSided;
    this.#onFinding = onFinding;
    this.#onMessage = onMessage;
    this.#validate = createValidator(messageRuleOf(protocol));
    this.#definitions = definitionsByName(protocol);
    const { messages } = protocol;
    const named = <Each extends { readonly name: string }>(
      list: readonly Each[],
    ): ReadonlyMap<string, Each> => new Map(list.map((each) => [each.name, each]));
    this.#requests = named(messages.filter((each) => each.kind === "request"));
    this.#events = named(messages.filter((each) => each.kind === "event"));
    this.#announcements = announcementsOf(protocol);
    const expiring = (protocol.references ?? []).filter(({ expires }) => expires === true);
    this.#fields = expiring.length === 0 ? undefined : fieldTableOf(protocol);
    const visitors = (act: (key: string, value: unknown, place: string) => void): AnyVisitors =>
      Object.fromEntries(
        expiring.map(({ name }) => [
          name,
          (value: unknown, place: string): unknown => {
            act(`${name} ${String(value)}`, value, place);
            return value;
          },
        ]),
      );
    this.#gives = visitors((key) => keep(this.#given, key, this.#stop));
    this.#uses = visitors((key, value, place) => {
      const given = this.#given.get(key);
      if (given === undefined || given >= this.#stop) return;
      this.#find("reference.expired", place, `${String(value)} was given before the last stop`);
    });
    for (const role of protocol.roles) this.#asked.set(role, new Map());
    if (host !== undefined)
      this.#host = new HostSession(host, protocol, ({ id, outcome, docs }, pointer, absent) => {
        const { severity, docs: said } = host.outcomes[outcome]!;
        const what = absent === undefined ? docs : docs.replace(/\.$/, `: ${absent}.`);
        this.#emit(
          { rule: id, severity, outcome },
          this.#index,
          this.#label,
          pointer,
          `${what} ${said}`,
        );
      });
  }

  /** Number of messages so far. */
  get messages(): number {
    return this.#index;
  }

  push(entry: RecordedEntry): void {
    this.#entry = entry;
    const { message, fault } = entry;
    if (message === undefined) {
      this.#label = "bytes";
      if (fault !== undefined)
        this.#find(fault.code === "ERR_NOISE" ? "stream.noise" : "stream.fault", "", fault.text);
      return;
    }
    this.#index++;
    const fields = message as Fields;
    const kind = this.#kindOf(fields);
    if (kind === undefined) {
      this.#label = "message";
      this.#show("none", entry.from ?? this.#protocol.roles[0], fields);
      this.#find("message.kind", "", "It is neither request, event nor response");
      return;
    }
    const from = entry.from ?? this.#protocol.roles[0];
    const name = this.#nameOf(kind, fields, from);
    this.#label = this.#describe(kind, fields, name);
    this.#show(kind, from, fields);
    this.#judgeSchema(fields);
    this.#judgeOrder(from, fields);
    const answered = kind === "response" ? this.#judgeResponse(from, fields) : undefined;
    if (kind !== "response") this.#judgeNamed(kind, from, name ?? "", fields);
    this.#remember(kind, from, name, fields);
    this.#judgeFields(kind, from, name, fields);
    this.#judgeReferences(kind, from, name, message);
    this.#host?.judge({
      kind,
      name: name ?? "",
      from,
      fields,
      definition: this.#definitionOf(kind, name, fields),
      part: this.#partOf(kind),
      hasFailed: this.#hasFailed(kind, fields),
      isStray: answered?.isStray === true,
      latency: answered?.latency,
    });
  }

  #show(kind: LintedMessage["kind"], from: string, fields: Fields): void {
    if (this.#onMessage === undefined) return;
    const { time, session } = this.#entry;
    const asked = kind === "response" ? this.#askedBy(from, fields) : undefined;
    this.#onMessage({
      index: this.#index,
      from,
      kind,
      label: this.#label,
      hasFailed: this.#hasFailed(kind, fields),
      ...(session === undefined ? {} : { session }),
      ...(time === undefined ? {} : { time }),
      ...(time === undefined || asked?.time === undefined ? {} : { latency: time - asked.time }),
    });
  }

  /** Definition of a message that the protocol defines. */
  #definitionOf(kind: Kind, name: string | undefined, fields: Fields): string | undefined {
    if (kind === "event") return this.#events.get(name ?? "")?.definition;
    const request = this.#requests.get(name ?? "");
    if (kind === "request") return request?.definition;
    return this.#hasFailed(kind, fields) ? this.#protocol.bases.error : request?.responseDefinition;
  }

  #hasFailed(kind: LintedMessage["kind"], fields: Fields): boolean {
    const { response } = this.#protocol.envelope;
    return kind === "response" && response !== undefined && hasFailed(response, fields);
  }

  #partOf(kind: Kind): string {
    const { envelope } = this.#protocol;
    return kind === "response" ? (envelope.response?.result ?? "") : envelope[kind].payload;
  }

  /** The session is over: what was never answered is told. */
  end(): void {
    if (this.#isOneSided) return;
    for (const [role, asked] of this.#asked) {
      const all = [...asked.values()];
      const last = all.at(-1);
      for (const each of all) {
        // What was asked last may have ended the session.
        if (each.isAnswered || each === last) continue;
        this.#entry = { from: role };
        const { id: rule, severity } = lintRules.get("request.unanswered")!;
        this.#emit({ rule, severity }, each.index, each.label, "", "No response has come");
      }
    }
  }

  #kindOf(fields: Fields): Kind | undefined {
    const { envelope } = this.#protocol;
    for (const kind of ["response", "request", "event"] as const) {
      const arm = envelope[kind];
      if (arm !== undefined && isOfArm(arm, fields)) return kind;
    }
    return undefined;
  }

  /** Name of a message; of a response, that of the request that it answers. */
  #nameOf(kind: Kind, fields: Fields, from: string): string | undefined {
    const { envelope } = this.#protocol;
    if (kind === "response") {
      const asked = this.#askedBy(from, fields);
      const field = envelope.response?.name;
      return asked?.name ?? (field === undefined ? undefined : text(fields[field]));
    }
    return text(fields[envelope[kind].name]);
  }

  #askedBy(answering: string, fields: Fields): Asked | undefined {
    const asking = this.#protocol.roles.find((role) => role !== answering)!;
    return this.#asked.get(asking)!.get(fields[this.#protocol.envelope.replyTo ?? ""]);
  }

  #describe(kind: Kind, fields: Fields, name: string | undefined): string {
    const { id = "", replyTo = "" } = this.#protocol.envelope;
    const number = fields[kind === "response" ? replyTo : id];
    const shown = number === undefined || kind === "event" ? "" : ` ${String(number)}`;
    return visible(`${kind}${shown} ${name ?? ""}`.trimEnd()).slice(0, 100);
  }

  #judgeSchema(message: Fields): void {
    const isStrict = this.#profile === "strict";
    const tolerate = isStrict ? [] : wireTolerances.filter((each) => each !== "unknown-field");
    const result = this.#validate(message, { tolerate, maxIssues: 20 });
    if (result.ok) {
      for (const deviation of result.deviations) {
        const outcome = `readers that tolerate "${deviation.rule}" go on, others reject the message`;
        this.#find("schema.deviation", deviation.path, `${sentenceOf(deviation)}; ${outcome}`);
      }
      return;
    }
    for (const issue of result.issues) this.#find("schema.issue", issue.path, sentenceOf(issue));
  }

  #judgeOrder(from: string, fields: Fields): void {
    const { id, replyTo } = this.#protocol.envelope;
    if (id === undefined || id === replyTo) return;
    const number = fields[id];
    if (typeof number !== "number" || number <= 0) return;
    const last = this.#lastNumber.get(from);
    if (last !== undefined && number <= last)
      this.#find("number.order", `/${id}`, `${number} comes after ${last}`);
    this.#lastNumber.set(from, number);
  }

  #judgeResponse(
    from: string,
    fields: Fields,
  ): { readonly isStray: boolean; readonly latency: number | undefined } {
    const { replyTo = "", response } = this.#protocol.envelope;
    const asked = this.#askedBy(from, fields);
    const number = String(fields[replyTo]);
    if (asked === undefined && this.#isOneSided) return { isStray: false, latency: undefined };
    if (asked === undefined || asked.isAnswered) {
      if (asked === undefined)
        this.#find(
          "response.unmatched",
          `/${replyTo}`,
          `Nothing was asked with the number ${number}`,
        );
      else
        this.#find("response.double", `/${replyTo}`, `The request ${number} was answered before`);
      return { isStray: true, latency: undefined };
    }
    asked.isAnswered = true;
    const named = response?.name === undefined ? undefined : fields[response.name];
    const isMisnamed = response?.name !== undefined && named !== asked.name;
    if (isMisnamed)
      this.#find(
        "response.name",
        `/${response.name}`,
        `It says ${JSON.stringify(named) ?? "nothing"} and answers "${asked.name}"`,
      );
    const { time } = this.#entry;
    const latency = time === undefined || asked.time === undefined ? undefined : time - asked.time;
    if (latency !== undefined && latency > lateAfter)
      this.#find("response.late", "", `It took ${(latency / 1_000).toFixed(1)} seconds`);
    return { isStray: isMisnamed, latency };
  }

  #judgeNamed(kind: "request" | "event", from: string, name: string, fields: Fields): void {
    const known = (kind === "request" ? this.#requests : this.#events).get(name);
    const { envelope, conversation } = this.#protocol;
    const place = `/${envelope[kind].name}`;
    if (kind === "request")
      keep(this.#asked.get(from)!, fields[envelope.id ?? ""], {
        name,
        index: this.#index,
        label: this.#label,
        time: this.#entry.time,
        isAnswered: false,
      });
    const opening = conversation?.opening;
    const isEarly = !this.#isOpen && !this.#isOneSided;
    if (opening !== undefined && isEarly && !(kind === "request" && name === opening))
      this.#find("opening.early", "", `It comes before the response to "${opening}"`);
    if (known === undefined) {
      this.#find("message.custom", place, `The protocol does not define it`);
      return;
    }
    if (known.sender !== "both" && known.sender !== from)
      this.#find("message.sender", place, `The ${known.sender} sends it, not the ${from}`);
    if (known.deprecated !== undefined)
      this.#find("message.deprecated", place, known.deprecated || "It is deprecated");
    const { gate } = known;
    if (gate !== undefined && gate.role !== from && !this.#has(gate.role, gate.flag))
      this.#find("request.capability", place, `The ${gate.role} has not announced ${gate.flag}`);
  }

  #has(role: string, flag: string): boolean {
    // What was not heard may have been announced.
    if (this.#isOneSided && !this.#announced.has(role)) return true;
    return isAnnounced(this.#announced.get(role), flag);
  }

  /** Keeps what later messages are judged by. */
  #remember(kind: Kind, from: string, name: string | undefined, fields: Fields): void {
    const { envelope, conversation } = this.#protocol;
    if (kind === "response" && name === conversation?.opening) this.#isOpen = true;
    for (const [role, { request, part, update }] of Object.entries(this.#announcements)) {
      const isThis = name === request && kind === (part === "payload" ? "request" : "response");
      const field =
        part === "payload" ? envelope.request.payload : (envelope.response?.result ?? "");
      if (isThis && role === from) this.#announce(role, fields[field]);
      const body = fields[envelope.event.payload];
      if (update !== undefined && kind === "event" && name === update.event && role === from)
        this.#announce(role, isObject(body) ? body[update.field] : undefined);
    }
    if (kind === "response") return;
    if (conversation?.resumes?.includes(name ?? "") === true) this.#hasResumed = true;
    if (conversation?.stops?.includes(name ?? "") === true && this.#hasResumed) {
      this.#stop++;
      this.#hasResumed = false;
    }
  }

  #announce(role: string, flags: unknown): void {
    if (isObject(flags)) this.#announced.set(role, mergeFlags(this.#announced.get(role), flags));
  }

  /** Properties that are deprecated, or that the other side has not announced to understand. */
  #judgeFields(kind: Kind, from: string, name: string | undefined, fields: Fields): void {
    const definition = this.#definitionOf(kind, name, fields);
    if (definition === undefined) return;
    const type = { kind: "reference", name: definition } as const;
    walkTyped(this.#definitions, type, fields, {
      property: ({ deprecated, gate }, place) => {
        if (deprecated !== undefined)
          this.#find("field.deprecated", place, deprecated || "It is deprecated");
        if (gate !== undefined && gate.role !== from && !this.#has(gate.role, gate.flag))
          this.#find("field.capability", place, `The ${gate.role} has not announced ${gate.flag}`);
      },
    });
  }

  /** References that were given before the program ran on. */
  #judgeReferences(kind: Kind, from: string, name: string | undefined, message: object): void {
    if (this.#fields === undefined) return;
    const envelope = this.#protocol.envelope as EnvelopeTable;
    const visitors = from === this.#protocol.roles[0] ? this.#uses : this.#gives;
    const request = kind === "response" ? name : undefined;
    visitMessage(this.#fields, envelope, message, visitors, request);
  }

  #find(rule: string, pointer: string, sentence: string): void {
    const { severity } = lintRules.get(rule)!;
    this.#emit({ rule, severity }, this.#index, this.#label, pointer, sentence);
  }

  #emit(
    rule: Pick<LintFinding, "rule" | "severity" | "outcome">,
    index: number,
    label: string,
    pointer: string,
    sentence: string,
  ): void {
    const { from, offset, time, line, session } = this.#entry;
    this.#onFinding({
      ...rule,
      index,
      from: from ?? this.#protocol.roles[0],
      label,
      pointer,
      text: visible(sentence),
      ...(offset === undefined ? {} : { offset }),
      ...(time === undefined ? {} : { time }),
      ...(line === undefined ? {} : { line }),
      ...(session === undefined ? {} : { session }),
    });
  }
}

/** What an issue is, without its place, which findings have of their own. */
function sentenceOf(issue: ValidationIssue): string {
  const sentence = describeIssue(issue);
  const place = `\`${issue.path}\`: `;
  return sentence.startsWith(place) ? sentence.slice(place.length) : sentence;
}

function keep<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  if (map.size >= remembered) map.delete(map.keys().next().value as Key);
  map.set(key, value);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
