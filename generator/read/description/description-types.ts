// Generated from protocol.schema.json, extension.schema.json and overlay.schema.json in
// schema/formats, which describe each property. Do not edit: run `npm run generate`.

import type { Json } from "../../model/types.js";

export type DescribedNotation = CommandLines | XmlElements | CommandOptions | XMLDocuments;

export interface Description {
  readonly $schema?: string;
  readonly name: string;
  readonly title: string;
  readonly default?: boolean;
  readonly package: string;
  readonly packageVersion?: string;
  /**
   * @minItems 2
   * @maxItems 2
   */
  readonly roles: readonly [string, string];
  readonly schema: {
    readonly format: string;
    readonly current?: string;
    readonly versions?: {
      readonly [k: string]: string | readonly string[];
    };
    readonly obtain?: string;
    readonly history?: string;
    readonly annotations?: readonly string[];
    readonly oneOf?: "one" | "any";
    readonly untyped?: "meant" | "exact";
    readonly formats?: boolean;
    readonly forgives?: {
      readonly errors?: string;
      readonly items?: string;
      readonly nulls?: string;
    };
    readonly texts?: "omit";
    readonly names?: {
      readonly [k: string]: string;
    };
    readonly omit?: readonly string[];
  };
  readonly messages:
    MessagesByInheritance | MessagesByTable | MessagesByMethod | MessagesByConst | MessagesByFormat;
  readonly directions: {
    readonly requests: string;
    readonly events: string;
    readonly exceptions?: Senders;
  };
  readonly envelope: DescribedEnvelope;
  readonly framing: {
    readonly [k: string]:
      | "content-length"
      | "lines"
      | "nul"
      | "decimal-nul"
      | "uint32-be"
      | "uint32-le"
      | "uint64-be"
      | "uint64-le"
      | "xml-concat";
  };
  readonly notation?: {
    readonly [k: string]: DescribedNotation;
  };
  readonly lanes?: DescribedLanes;
  readonly configured?: readonly string[];
  readonly conversation?: {
    readonly opening?: string;
    readonly duringOpening?: readonly string[];
    readonly version?: string;
    readonly closing?: string;
    readonly stops?: readonly string[];
    readonly resumes?: readonly string[];
    readonly ready?: string;
    readonly follows?: {
      readonly [k: string]: readonly string[];
    };
    readonly errorCodes?: {
      readonly [k: string]: number;
    };
    readonly cancel?: {
      readonly message: string;
      readonly id: string;
    };
    readonly failures: {
      readonly text: readonly string[];
      readonly variables?: string;
      readonly unknown: {
        readonly [k: string]: Json;
      };
      readonly failed: {
        readonly [k: string]: Json;
      };
      readonly invalid?: {
        readonly [k: string]: Json;
      };
      readonly cancelled: {
        readonly [k: string]: Json;
      };
    };
  };
  readonly references?: {
    readonly [k: string]: DescribedReference;
  };
  readonly capabilities?: {
    readonly [k: string]: {
      readonly type: string;
      readonly update?: string;
      readonly register?: RegistrationRequest;
      readonly unregister?: RegistrationRequest;
      readonly registrationConsent?: string;
    };
  };
  readonly gates?: Gates;
  readonly defaults?: Defaults;
  readonly limits?: {
    readonly [k: string]: {
      readonly minimum?: number;
      readonly maximum?: number;
    };
  };
  readonly summaries?: Summaries;
  readonly extensible?: readonly string[];
  readonly essential?: readonly string[];
  readonly compatibility?: {
    readonly namespace: string;
    readonly package: string;
    readonly replacement?: {
      readonly name: string;
      readonly file: string;
    };
  };
  readonly overlays?: readonly string[];
  readonly dialects?: {
    readonly [k: string]: DescribedDialect;
  };
}
export interface MessagesByInheritance {
  readonly by: "inheritance";
  readonly root: string;
  readonly request: string;
  readonly event: string;
  readonly response: string;
  readonly error: string;
  readonly pair: {
    readonly request: string;
    readonly response: string;
  };
}
export interface MessagesByTable {
  readonly by: "table";
  readonly error?: string;
  readonly sets?: {
    readonly [k: string]: string;
  };
  readonly requests: RequestTable;
  readonly events: EventTable;
}
export interface RequestTable {
  readonly [k: string]: DescribedRequest;
}
export interface DescribedRequest {
  readonly docs: string;
  readonly params?: string;
  readonly result?: string;
  readonly partialResult?: string;
  readonly errorData?: string;
  readonly registration?: DescribedRegistration;
  readonly deprecated?: string;
  readonly definition?: string;
  readonly response?: string;
  readonly set?: string;
  readonly unanswered?: true;
  readonly line?: DescribedLine;
  readonly answered?: DescribedAnswers;
}
export interface DescribedRegistration {
  readonly method?: string;
  readonly options?: string;
}
export interface DescribedLine {
  readonly words: readonly string[];
  readonly arguments?: string;
  readonly anyCase?: true;
  readonly refuses?: readonly string[];
}
export interface DescribedAnswers {
  readonly lane: string;
  readonly by?: readonly string[];
  readonly failures?: readonly AnswerPattern[];
  readonly each?: string;
  readonly silentWith?: {
    readonly [k: string]: Json;
  };
  readonly silentWithout?: string;
  readonly isText?: true;
  readonly resumes?: true;
}
export interface AnswerPattern {
  readonly name: string;
  readonly begins?: readonly string[];
  readonly where?: {
    readonly [k: string]: Json;
  };
  readonly says?: string;
  readonly lane?: string;
}
export interface EventTable {
  readonly [k: string]: DescribedEvent;
}
export interface DescribedEvent {
  readonly docs: string;
  readonly params?: string;
  readonly registration?: DescribedRegistration;
  readonly deprecated?: string;
  readonly definition?: string;
  readonly set?: string;
}
export interface MessagesByMethod {
  readonly by: "method";
  readonly method: string;
  readonly side: string;
  readonly senders: {
    readonly [k: string]: string;
  };
  readonly error?: string;
  readonly rename: {
    readonly request: Renaming;
    readonly response: Renaming;
    readonly event: Renaming;
  };
  readonly docs: {
    readonly [k: string]: string;
  };
}
export interface Renaming {
  readonly from: string;
  readonly to: string;
}
export interface MessagesByConst {
  readonly by: "const";
  readonly unions: {
    readonly [k: string]: DescribedUnions;
  };
  readonly results?: {
    readonly request: string;
    readonly result: string;
    readonly response?: string;
    readonly otherwise: string;
  };
  readonly error?: string;
  readonly failures?: readonly string[];
}
export interface DescribedUnions {
  readonly requests?: string | readonly string[];
  readonly events?: string | readonly string[];
}
export interface MessagesByFormat {
  readonly by: "format";
  readonly error?: string;
}
export interface Senders {
  readonly [k: string]: string;
}
export interface DescribedEnvelope {
  readonly constants?: {
    readonly [k: string]: string;
  };
  readonly id?: string;
  readonly idTypes?: readonly ("integer" | "string" | "null")[];
  readonly replyTo?: string;
  readonly replyTypes?: readonly ("integer" | "string" | "null")[];
  readonly fields?: {
    readonly [k: string]: string;
  };
  readonly request: DescribedArm;
  readonly event: DescribedArm;
  readonly response?: {
    readonly when: When;
    readonly name?: string;
    readonly success?: string;
    readonly result: string;
    readonly error: string;
    readonly errorText?: string;
  };
}
export interface DescribedArm {
  readonly noun?: "notification" | "command" | "element";
  readonly sender?: string;
  readonly when: When;
  readonly name: string;
  readonly payload: string;
}
export interface When {
  readonly [k: string]: string | boolean;
}
export interface CommandLines {
  readonly kind: "command-line";
  readonly refuses?: readonly string[];
}
export interface XmlElements {
  readonly kind: "xml-element";
  readonly text?: string;
  readonly elements: ElementTemplates;
}
export interface ElementTemplates {
  readonly [k: string]: string | readonly string[];
}
export interface CommandOptions {
  readonly kind: "command-options";
  readonly id: string;
}
export interface XMLDocuments {
  readonly kind: "xml-document";
  readonly elements: ElementTemplates;
  readonly responses?: {
    readonly tag: string;
    readonly name: string;
    readonly id: string;
  };
}
export interface DescribedLanes {
  readonly lanes: {
    readonly [k: string]: {
      readonly docs: string;
      readonly waits: boolean;
      readonly separator?: string;
    };
  };
  readonly stops?: readonly string[];
  readonly notes?: readonly AnswerPattern[];
  readonly breakdown?: AnswerPattern;
  readonly unknown?: AnswerPattern;
}
export interface DescribedReference {
  readonly docs: string;
  readonly properties?: readonly string[];
  readonly places?: readonly string[];
  readonly definitions?: readonly string[];
  readonly except?: string | number;
  readonly expires?: true;
}
export interface RegistrationRequest {
  readonly request: string;
  readonly each: string;
  readonly name: string;
}
export interface Gates {
  readonly messages?: {
    readonly [k: string]: string;
  };
  readonly senders?: {
    readonly [k: string]: string;
  };
  readonly properties?: {
    readonly [k: string]: string;
  };
}
export interface Defaults {
  readonly [k: string]: string | number | boolean | null;
}
export interface Summaries {
  readonly [k: string]: readonly string[];
}
export interface DescribedDialect {
  readonly docs: string;
  readonly reads?: readonly (
    "forgiving" | "ids-as-text" | "names-in-any-case" | "null-for-absent" | "numbers-for-names"
  )[];
  readonly writes?: readonly ("ids-on-all-messages" | "null-for-no-body" | "numbers-for-names")[];
  readonly envelope?: DescribedEnvelope;
  readonly unexplained?: {
    readonly [k: string]: Json;
  };
  readonly names?: {
    readonly [k: string]: string;
  };
  readonly elements?: ElementTemplates;
}
export interface Extension {
  readonly $schema?: string;
  readonly name: string;
  readonly title: string;
  readonly package: string;
  readonly packageVersion?: string;
  readonly extends: string;
  readonly overlays: readonly string[];
  readonly dialects?: {
    readonly [k: string]: DescribedDialect;
  };
}
export interface Overlay {
  readonly $schema?: string;
  readonly $id?: string;
  readonly $comment?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: "object";
  readonly definitions?: {
    readonly [k: string]: {} | boolean;
  };
  readonly $defs?: {
    readonly [k: string]: {} | boolean;
  };
  readonly directions?: {
    readonly exceptions?: Senders;
  };
  readonly messages?: {
    readonly requests?: RequestTable;
    readonly events?: EventTable;
  };
  readonly gates?: Gates;
  readonly defaults?: Defaults;
  readonly extensible?: readonly string[];
  readonly annotations?: readonly string[];
}
