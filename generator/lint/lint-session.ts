import type { Protocol } from "../model/protocol.js";
import { visible } from "../base/visible-text.js";
import { LatestEntries } from "../../runtime/base/latest-entries.js";
import {
  describeIssue,
  isAnnounced,
  isObject,
  wireTolerances,
  type ValidationIssue,
} from "../../runtime/index.js";
import { ExpiringReferences } from "./expiring-references.js";
import { HostSession } from "./host-session.js";
import type { HostTable } from "./host-table.js";
import { judgedProtocolOf, type JudgedProtocol } from "./judged-protocol.js";
import type { MessageKind } from "../session/message-reader.js";
import type { RecordedEntry } from "../session/recorded-entry.js";
import {
  maxRemembered,
  rememberedKey,
  shortName,
  shortText,
  valueText,
} from "../session/remembered.js";
import { severityOf, type LintFinding, type LintRuleId } from "./rules.js";
import { walkTyped, type Fields } from "../session/typed-walk.js";

/** Milliseconds after which a response is late. */
const lateAfter = 10_000;

/** How strict messages are judged: to the letter, or by what a tolerant reader can use. */
export type LintProfile = "strict" | "wire";

/** Characters of what a finding says, and of its place. */
const maxTextLength = 1_000;

interface Asked {
  readonly name: string;
  readonly index: number;
  readonly label: string;
  readonly time: number | undefined;
  readonly offset: number | undefined;
  readonly line: number | undefined;
  readonly session: number | undefined;
  isAnswered: boolean;
}

export interface LintOptions {
  /** Default: `wire`. */
  readonly profile?: LintProfile;
  /** What one side said is all there is: what takes both to judge is not judged. Default: false. */
  readonly isOneSided?: boolean;
  /** A host that the messages are for. */
  readonly host?: HostTable | undefined;
  /** Requests, references and ids that are remembered at most, of each the latest. Default: 100,000. */
  readonly remembered?: number;
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
  readonly #judged: JudgedProtocol;
  readonly #references: ExpiringReferences;
  readonly #onFinding: (finding: LintFinding) => void;
  readonly #onMessage: LintOptions["onMessage"];
  /** What each role has asked, by number. */
  readonly #asked = new Map<string, LatestEntries<unknown, Asked>>();
  readonly #lastNumber = new Map<string, number>();
  /** Which of the flags that gate something each role has announced. */
  readonly #announced = new Map<string, Map<string, boolean>>();
  #isOpen = false;
  #host: HostSession | undefined;
  #index = 0;
  #entry: RecordedEntry = {};
  #label = "";

  constructor(
    protocol: Protocol,
    {
      profile = "wire",
      isOneSided = false,
      host,
      remembered = maxRemembered,
      onFinding,
      onMessage,
    }: LintOptions,
  ) {
    this.#protocol = protocol;
    this.#profile = profile;
    this.#isOneSided = isOneSided;
    this.#onFinding = onFinding;
    this.#onMessage = onMessage;
    this.#judged = judgedProtocolOf(protocol);
    this.#references = new ExpiringReferences(
      protocol,
      this.#judged.references,
      remembered,
      (place, sentence) => this.#find("reference.expired", place, sentence),
    );
    for (const role of protocol.roles) this.#asked.set(role, new LatestEntries(remembered));
    if (host !== undefined)
      this.#host = new HostSession(
        host,
        this.#judged.definitions,
        remembered,
        ({ id, outcome, docs }, pointer, absent) => {
          const { severity, docs: said } = host.outcomes[outcome]!;
          const what = absent === undefined ? docs : docs.replace(/\.$/, () => `: ${absent}.`);
          this.#emit(
            { rule: id, severity, outcome },
            this.#index,
            this.#label,
            pointer,
            `${what} ${said}`,
          );
        },
      );
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
    const kind = this.#judged.reader.kindOf(fields);
    const { roles } = this.#protocol;
    const from = roles.find((role) => role === entry.from) ?? roles[0];
    if (kind === undefined) {
      this.#label = "message";
      this.#show("none", from, fields);
      this.#find("message.kind", "", "It is neither request, event nor response");
      return;
    }
    const name = this.#nameOf(kind, fields, from);
    this.#label = this.#judged.reader.describe(kind, fields, name);
    this.#show(kind, from, fields);
    this.#judgeSchema(fields);
    this.#judgeOrder(from, fields);
    const answered = kind === "response" ? this.#judgeResponse(from, fields) : undefined;
    if (kind !== "response") this.#judgeNamed(kind, from, name ?? "", fields);
    this.#remember(kind, from, name, fields);
    this.#judgeFields(kind, from, name, fields);
    this.#references.judge(from, message, kind === "response" ? name : undefined);
    this.#host?.judge({
      kind,
      name: name ?? "",
      from,
      fields,
      definition: this.#judged.reader.definitionOf(kind, name, fields),
      part: this.#judged.reader.partOf(kind),
      hasFailed: this.#judged.reader.hasFailed(kind, fields),
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
      hasFailed: this.#judged.reader.hasFailed(kind, fields),
      ...(session === undefined ? {} : { session }),
      ...(time === undefined ? {} : { time }),
      ...(time === undefined || asked?.time === undefined ? {} : { latency: time - asked.time }),
    });
  }

  /** The session is over: what was never answered is told. */
  end(): void {
    if (this.#isOneSided) return;
    for (const [role, asked] of this.#asked) {
      const all = asked.values();
      const last = all.at(-1);
      for (const each of all) {
        // What was asked last may have ended the session.
        if (each.isAnswered || each === last) continue;
        const { time, offset, line, session } = each;
        this.#entry = {
          from: role,
          ...(time === undefined ? {} : { time }),
          ...(offset === undefined ? {} : { offset }),
          ...(line === undefined ? {} : { line }),
          ...(session === undefined ? {} : { session }),
        };
        const rule = "request.unanswered";
        const severity = severityOf(rule);
        this.#emit({ rule, severity }, each.index, each.label, "", "No response has come");
      }
    }
  }

  /** Name of a message; of a response, that of the request that it answers. */
  #nameOf(kind: MessageKind, fields: Fields, from: string): string | undefined {
    const asked = kind === "response" ? this.#askedBy(from, fields) : undefined;
    return asked?.name ?? this.#judged.reader.nameOf(kind, fields);
  }

  #askedBy(answering: string, fields: Fields): Asked | undefined {
    const asking = this.#protocol.roles.find((role) => role !== answering)!;
    const number = fields[this.#protocol.envelope.replyTo ?? ""];
    return this.#asked.get(asking)!.get(rememberedKey(number));
  }

  #judgeSchema(message: Fields): void {
    const isStrict = this.#profile === "strict";
    const tolerate = isStrict ? [] : wireTolerances.filter((each) => each !== "unknown-field");
    const result = this.#judged.validate(message, { tolerate, maxIssues: 20 });
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
    const number = valueText(fields[replyTo]);
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
    const isMisnamed =
      response?.name !== undefined &&
      (typeof named === "string" ? shortName(named) : named) !== asked.name;
    if (isMisnamed)
      this.#find(
        "response.name",
        `/${response.name}`,
        `It says ${nameText(named)} and answers "${asked.name}"`,
      );
    const { time } = this.#entry;
    const latency = time === undefined || asked.time === undefined ? undefined : time - asked.time;
    if (latency !== undefined && latency > lateAfter)
      this.#find("response.late", "", `It took ${(latency / 1_000).toFixed(1)} seconds`);
    return { isStray: isMisnamed, latency };
  }

  #judgeNamed(kind: "request" | "event", from: string, name: string, fields: Fields): void {
    const known = (
      kind === "request" ? this.#judged.reader.requests : this.#judged.reader.events
    ).get(name);
    const { envelope, conversation } = this.#protocol;
    const place = `/${envelope[kind].name}`;
    if (kind === "request") {
      const { time, offset, line, session } = this.#entry;
      this.#asked.get(from)!.set(rememberedKey(fields[envelope.id ?? ""]), {
        name: shortName(name),
        index: this.#index,
        label: this.#label,
        ...{ time, offset, line, session },
        isAnswered: false,
      });
    }
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
    return this.#announced.get(role)?.get(flag) === true;
  }

  /** Keeps what later messages are judged by. */
  #remember(kind: MessageKind, from: string, name: string | undefined, fields: Fields): void {
    const { envelope, conversation } = this.#protocol;
    if (kind === "response" && name === conversation?.opening) this.#isOpen = true;
    for (const [role, { request, part, update }] of Object.entries(
      this.#judged.capabilitySources,
    )) {
      const isThis = name === request && kind === (part === "payload" ? "request" : "response");
      const field =
        part === "payload" ? envelope.request.payload : (envelope.response?.result ?? "");
      if (isThis && role === from) this.#announce(role, fields[field]);
      const body = fields[envelope.event.payload];
      if (update !== undefined && kind === "event" && name === update.event && role === from)
        this.#announce(role, isObject(body) ? body[update.field] : undefined);
    }
    if (kind !== "response") this.#references.follow(name ?? "");
  }

  #announce(role: string, flags: unknown): void {
    if (!isObject(flags)) return;
    let announced = this.#announced.get(role);
    if (announced === undefined) this.#announced.set(role, (announced = new Map()));
    for (const flag of this.#judged.flags.get(role)!)
      if (Object.hasOwn(flags, flag)) announced.set(flag, isAnnounced(flags, flag));
  }

  /** Properties that are deprecated, or that the other side has not announced to understand. */
  #judgeFields(kind: MessageKind, from: string, name: string | undefined, fields: Fields): void {
    const definition = this.#judged.reader.definitionOf(kind, name, fields);
    if (definition === undefined) return;
    const type = { kind: "reference", name: definition } as const;
    walkTyped(this.#judged.definitions, type, fields, {
      property: ({ deprecated, gate }, place) => {
        if (deprecated !== undefined)
          this.#find("field.deprecated", place, deprecated || "It is deprecated");
        if (gate !== undefined && gate.role !== from && !this.#has(gate.role, gate.flag))
          this.#find("field.capability", place, `The ${gate.role} has not announced ${gate.flag}`);
      },
    });
  }

  #find(rule: LintRuleId, pointer: string, sentence: string): void {
    const severity = severityOf(rule);
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
      pointer: shortText(pointer, maxTextLength),
      text: visible(shortText(sentence, maxTextLength)),
      ...(offset === undefined ? {} : { offset }),
      ...(time === undefined ? {} : { time }),
      ...(line === undefined ? {} : { line }),
      ...(session === undefined ? {} : { session }),
    });
  }
}

function nameText(name: unknown): string {
  if (name === undefined) return "nothing";
  return typeof name === "string" ? JSON.stringify(shortName(name)) : valueText(name);
}

/** What an issue is, without its place, which findings have of their own. */
function sentenceOf(issue: ValidationIssue): string {
  const sentence = describeIssue(issue);
  const place = `\`${issue.path}\`: `;
  return sentence.startsWith(place) ? sentence.slice(place.length) : sentence;
}
