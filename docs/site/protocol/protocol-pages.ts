import type { compareNames } from "../../../generator/model/first-versions.js";
import type { Message, Protocol } from "../../../generator/model/protocol.js";
import { definitionsByName, receiverOf } from "../../../generator/model/queries.js";
import { typesIn } from "../../../generator/model/type-checks.js";
import type { Definition, Gate, Type } from "../../../generator/model/types.js";
import { base } from "../pages/addresses.js";
import type { SitePage } from "../pages/site-pages.js";
import { concernedBy, printChecks, type AdapterCheck } from "./conformance-checks.js";
import { cellText, printFields, runningText, table } from "./field-table.js";
import type { Examples } from "./example.js";
import type { JudgingRule } from "./judging-rules.js";
import { drawSequence } from "./sequence-picture.js";
import type { AddressOf } from "./type-text.js";
import { printVersions } from "./version-page.js";

/** Data that a protocol's pages show in addition to its model. */
export interface ProtocolFacts {
  readonly versions: ReturnType<typeof compareNames>["since"];
  readonly oldest: string | undefined;
  readonly rules: readonly JudgingRule[];
  readonly examples: Examples | undefined;
  /** Results from the conformance suite. */
  readonly checks: readonly AdapterCheck[];
}

/** Creates a protocol's pages. The first one is its start page. */
export function protocolPages(protocol: Protocol, facts: ProtocolFacts): readonly SitePage[] {
  const book = new ProtocolBook(protocol, facts);
  return [
    book.startPage(),
    ...(facts.versions.length === 0 ? [] : [book.versionsPage()]),
    ...protocol.messages.map((message) => book.messagePage(message)),
    ...protocol.definitions
      .filter(({ name }) => book.hasOwnPage(name))
      .map((definition) => book.typePage(definition)),
  ];
}

class ProtocolBook {
  readonly #protocol: Protocol;
  readonly #facts: ProtocolFacts;
  readonly #definitions: ReadonlyMap<string, Definition>;
  /**
   * For each definition that does not have a page of its own, the message on whose page it is
   * shown.
   */
  readonly #parts = new Map<string, Message>();
  readonly #users: ReadonlyMap<string, readonly string[]>;
  /**
   * The conformance checks for each page. The key "" contains those that do not belong to any page.
   */
  readonly #checks = new Map<string, AdapterCheck[]>();

  constructor(protocol: Protocol, facts: ProtocolFacts) {
    this.#protocol = protocol;
    this.#facts = facts;
    this.#definitions = definitionsByName(protocol);
    this.#users = usersOf(protocol);
    for (const message of protocol.messages) {
      const parts = partsOf(message);
      for (const part of parts) if (this.#isUsedBy(part, parts)) this.#parts.set(part, message);
    }
    for (const check of facts.checks) {
      const concerned = concernedBy(
        check,
        protocol.messages,
        (name) => this.#addressOf(name) !== undefined,
      );
      const pages = concerned.map((name) => this.#parts.get(name)?.definition ?? name);
      for (const page of pages.length === 0 ? [""] : new Set(pages))
        this.#checks.set(page, [...(this.#checks.get(page) ?? []), check]);
    }
  }

  hasOwnPage(definition: string): boolean {
    return !this.#parts.has(definition) && !this.#isEnvelope(definition);
  }

  startPage(): SitePage {
    const { title, version, roles, messages, definitions } = this.#protocol;
    const types = definitions.filter(({ name }) => this.hasOwnPage(name));
    const lists = [...new Set(messages.map((message) => this.#groupOf(message)))].map((group) => {
      const members = messages.filter((message) => this.#groupOf(message) === group);
      return `## ${group}\n\n${this.#list(members.map(({ definition, docs }) => [definition, docs]))}`;
    });
    const versions =
      this.#facts.versions.length === 0
        ? ""
        : ` See also [what was added in each version](${this.#address("versions")}).`;
    return this.#page("", `${title} ${version}`, { label: "Overview" }, [
      `The messages of the ${title}, version ${version}, exchanged between the ${roles[0]} and the ${roles[1]}: ${messages.length} messages and ${types.length} types.${versions}`,
      ...lists,
      `## Types\n\n${this.#list(types.map(({ name, docs }) => [name, docs]))}`,
      ...printChecks(this.#checks.get("") ?? [], "all messages and whole sessions"),
    ]);
  }

  versionsPage(): SitePage {
    const { title } = this.#protocol;
    return this.#page("versions", `Versions of the ${title}`, { label: "Versions" }, [
      `Additions in each version of the ${title}, newest first. ${this.#facts.oldest} is the oldest version in the comparison.`,
      printVersions(this.#facts.versions, {
        messages: this.#protocol.messages,
        linkOf: (name) => this.#link(name),
        messageOf: (name) => this.#parts.get(name),
      }),
    ]);
  }

  messagePage(message: Message): SitePage {
    const { name, kind, sender, definition, docs, gate, deprecated } = message;
    const { since } = this.#definitions.get(definition)!;
    const facts = [
      `${kind === "request" ? "Request" : "Event"} \`${name}\` ${this.#direction(sender)}`,
      ...(gate === undefined ? [] : [`Requires ${this.#capability(gate)}`]),
      ...(since === undefined ? [] : [`Since ${since}`]),
      ...(deprecated === undefined ? [] : [`**Deprecated.** ${runningText(deprecated)}`]),
    ];
    const parts = [
      ...(docs === undefined ? [] : [runningText(docs)]),
      facts.map((fact) => `- ${fact}\n`).join(""),
      this.#part(kind === "request" ? "Arguments" : "Body", message.payload),
      ...(message.kind === "request" && message.responseDefinition !== undefined
        ? [this.#part("Response", message.result)]
        : []),
      ...this.#example(`${kind} ${name}`),
      ...this.#rules(`${kind} ${name}`, ...(kind === "request" ? [`success ${name}`] : [])),
      ...printChecks(this.#checks.get(definition) ?? [], "this message"),
    ];
    return this.#page(
      definition,
      definition,
      { label: name, group: this.#groupOf(message) },
      parts,
    );
  }

  typePage({ name, type, docs, since, deprecated }: Definition): SitePage {
    const users = [...new Set((this.#users.get(name) ?? []).map((user) => this.#link(user)))];
    return this.#page(name, name, { group: "Types" }, [
      ...(docs === undefined ? [] : [runningText(docs)]),
      ...(since === undefined ? [] : [`Since ${since}.`]),
      ...(deprecated === undefined ? [] : [`**Deprecated.** ${runningText(deprecated)}`]),
      this.#fields(type),
      ...this.#gated(name),
      ...printChecks(this.#checks.get(name) ?? [], "this type"),
      ...(users.length === 0 ? [] : [`## Used by\n\n${users.join(", ")}`]),
    ]);
  }

  /** Returns whether a definition is a message or is referred to only by the given definitions. */
  #isUsedBy(part: string, parts: readonly string[]): boolean {
    const isMessage = this.#protocol.messages.some(({ definition }) => definition === part);
    return isMessage || (this.#users.get(part) ?? []).every((user) => parts.includes(user));
  }

  /**
   * Returns a section that lists the requests and fields that require a capability in a definition.
   */
  #gated(definition: string): readonly string[] {
    const { capabilities, messages } = this.#protocol;
    const role = capabilities.find((each) => each.definition === definition)?.role;
    if (role === undefined) return [];
    const uses = new Map<string, string[]>();
    const add = (gate: Gate | undefined, use: string): void => {
      if (gate?.role !== role) return;
      uses.set(gate.capability, [...(uses.get(gate.capability) ?? []), use]);
    };
    for (const message of messages) add(message.gate, this.#link(message.definition));
    for (const { name, type } of this.#protocol.definitions)
      if (type.kind === "object")
        for (const property of type.properties)
          add(property.gate, `\`${property.name}\` in ${this.#link(name)}`);
    if (uses.size === 0) return [];
    const rows = [...uses].map(([flag, places]) => [`\`${flag}\``, places.join(", ")]);
    return [`## Needed for\n\n${table(["Capability", "Needed for"], rows)}`];
  }

  #example(message: string): readonly string[] {
    const { programs, byMessage } = this.#facts.examples ?? { programs: "", byMessage: {} };
    const example = byMessage[message] ?? [];
    if (example.length === 0) return [];
    const picture = example.length > 1 ? `${drawSequence(example, this.#protocol.roles)}\n\n` : "";
    const blocks = example
      .filter((step) => step.message !== undefined)
      .map(({ message: value, text }) =>
        text === undefined
          ? `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
          : `\`\`\`text wrap\n${text}\n\`\`\``,
      );
    const text = `From a recorded session of ${programs}${picture === "" ? "" : ", with the messages that followed"}.`;
    return [`## Example\n\n${text}\n\n${picture}${blocks.join("\n\n")}`];
  }

  #rules(...names: readonly string[]): readonly string[] {
    const rules = this.#facts.rules.filter((rule) => names.some((name) => rule.names.has(name)));
    if (rules.length === 0) return [];
    const rows = rules.map(({ id, severity, docs }) => [
      `[\`${id}\`](${base}/reference/lint-rules/)`,
      severity,
      cellText(docs),
    ]);
    return [
      `## Lint rules\n\n[wirewright lint](${base}/reference/lint-rules/) judges this message by the following rules.\n\n${table(["Rule", "Severity", "Statement"], rows)}`,
    ];
  }

  #part(
    heading: string,
    payload: { readonly type: Type; readonly required: boolean } | undefined,
  ): string {
    if (payload === undefined) return `## ${heading}\n\nNone.`;
    const { type } = payload;
    const named = type.kind === "reference" ? this.#definitions.get(type.name) : undefined;
    const isHere = named !== undefined && this.#parts.has(named.name);
    const optional = payload.required ? "" : "Optional.\n\n";
    if (named !== undefined && !isHere)
      return `## ${heading}\n\n${optional}${this.#link(named.name)}`;
    return `## ${heading}\n\n${optional}${this.#fields(named?.type ?? type)}`;
  }

  #fields(type: Type): string {
    return printFields(type, this.#definitions, this.#addressOf);
  }

  #list(entries: readonly (readonly [name: string, docs: string | undefined])[]): string {
    const rows = entries.map(([name, docs = ""]) => [this.#link(name), firstSentence(docs)]);
    return table(["Name", "Meaning"], rows);
  }

  #capability({ role, capability }: Gate): string {
    const announced = this.#protocol.capabilities.find((each) => each.role === role);
    const where = announced === undefined ? "" : ` in ${this.#link(announced.definition)}`;
    return `\`${capability}\`, announced by the ${role}${where}`;
  }

  #groupOf({ kind, sender }: Message): string {
    return `${kind === "request" ? "Requests" : "Events"} ${this.#direction(sender)}`;
  }

  #direction(sender: string): string {
    const receiver = receiverOf(this.#protocol, sender);
    return sender === receiver ? "in both directions" : `from the ${sender} to the ${receiver}`;
  }

  #link(name: string): string {
    const address = this.#addressOf(name);
    return address === undefined ? `\`${name}\`` : `[${name}](${address})`;
  }

  readonly #addressOf: AddressOf = (name) => {
    const page = this.#parts.get(name)?.definition ?? name;
    return this.#isEnvelope(page) || !this.#definitions.has(page) ? undefined : this.#address(page);
  };

  /**
   * Returns whether a definition is a base that messages extend. Such a definition does not
   * describe any particular message.
   */
  #isEnvelope(name: string): boolean {
    const { request, event, response } = this.#protocol.bases;
    return [request, event, response].includes(name);
  }

  #address(page: string): string {
    return `${base}/protocols/${this.#protocol.name}/${page === "" ? "" : `${slug(page)}/`}`;
  }

  #page(
    name: string,
    title: string,
    listed: Pick<SitePage, "label" | "group">,
    parts: readonly string[],
  ): SitePage {
    const path = `protocols/${this.#protocol.name}`;
    const [first = ""] = parts;
    return {
      address: name === "" ? path : `${path}/${slug(name)}`,
      title,
      ...listed,
      description: /^[\p{L}"]/u.test(first)
        ? first.replaceAll(/\[([^\]]*)\]\([^)]*\)|`/g, "$1")
        : "",
      body: `${parts.map((part) => part.trimEnd()).join("\n\n")}\n`,
    };
  }
}

/**
 * Returns the part of an address that represents a name. It is lower-case so that addresses do not
 * differ only in case.
 */
function slug(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, "-");
}

/** Returns the definitions that describe the message itself or a part of it. */
function partsOf(message: Message): readonly string[] {
  const payloads = [message.payload, message.kind === "request" ? message.result : undefined];
  return [
    message.definition,
    ...(message.kind === "request" && message.responseDefinition !== undefined
      ? [message.responseDefinition]
      : []),
    ...payloads.flatMap((payload) =>
      payload?.type.kind === "reference" ? [payload.type.name] : [],
    ),
  ];
}

/** Returns, for the name of each definition, the definitions that refer to it. */
function usersOf({ definitions }: Protocol): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const { name, type } of definitions)
    for (const each of typesIn(type))
      if (each.kind === "reference") users.set(each.name, [...(users.get(each.name) ?? []), name]);
  return users;
}

function firstSentence(docs: string): string {
  return cellText(/^[^]*?[.!?](?=\s|$)/.exec(docs)?.[0] ?? docs);
}
