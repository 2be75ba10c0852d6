/**
 * Creates values that JSON cannot represent, based on descriptions in JSON. An object with the key
 * `$` describes such a value; its key `of` holds the content.
 * The same description always yields the same value, so that two readers can be compared.
 */
export function hostileValue(json: unknown): unknown {
  try {
    return build(json, []);
  } catch {
    return unbuildable;
  }
}

/** Stands in for a value that cannot be built because one of its parts throws. */
export const unbuildable: object = {};

/** Example descriptions, one for each kind of value. */
export const hostileParts: readonly unknown[] = [
  "undefined",
  "NaN",
  "-0",
  "Infinity",
  "bigint",
  "symbol",
  "function",
  "date",
  "boxed",
  "revoked",
  "throwing-proxy",
  "parent",
  "sparse",
  "buffer",
  "map",
  "regexp",
  "class",
]
  .map((kind): unknown => ({ $: kind }))
  .concat([
    { $: "getter", of: { seq: 1 } },
    { $: "throwing", of: { seq: 1 } },
    { $: "null-prototype", of: { type: "event" } },
    { $: "inherited", of: { type: "event" } },
    { $: "hidden", of: { type: "event" } },
    { $: "proxy", of: [1] },
    { $: "symbols", of: {} },
    { $: "toJSON", of: {} },
    { $: "proto", of: { type: "request" } },
    { $: "long", of: "a" },
    { $: "throwing-in-list", of: [1, 2] },
  ]);

function build(json: unknown, parents: readonly object[]): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) {
    const list: unknown[] = [];
    for (const each of json) list.push(build(each, [...parents, list]));
    return list;
  }
  const fields = json as Readonly<Record<string, unknown>>;
  if (typeof fields["$"] === "string") return special(fields["$"], fields["of"], parents);
  const object = {};
  for (const [name, value] of Object.entries(fields))
    define(object, name, { value: build(value, [...parents, object]), writable: true });
  return object;
}

function define(object: object, name: string | symbol, descriptor: PropertyDescriptor): void {
  Object.defineProperty(object, name, { enumerable: true, configurable: true, ...descriptor });
}

function fail(): never {
  throw new Error("from a value");
}

function special(kind: string, of: unknown, parents: readonly object[]): unknown {
  const inner = (): object => {
    const value = build(of, parents);
    return typeof value === "object" && value !== null ? value : {};
  };
  /** Copies an object and changes the copy's property descriptors. */
  const described = (change: (name: string, value: unknown) => PropertyDescriptor): object => {
    const object = {};
    for (const [name, value] of Object.entries(inner())) define(object, name, change(name, value));
    return object;
  };
  switch (kind) {
    case "undefined":
      return undefined;
    case "NaN":
      return NaN;
    case "-0":
      return -0;
    case "Infinity":
      return Infinity;
    case "bigint":
      return 1n;
    case "symbol":
      return Symbol("a symbol");
    case "function":
      return () => 1;
    case "date":
      return new Date(0);
    case "boxed":
      return Object("request");
    case "buffer":
      return new Uint8Array(3);
    case "map":
      return new Map([["type", "request"]]);
    case "regexp":
      return /a/g;
    case "class":
      return new (class Message {
        readonly seq = 1;
        get type(): string {
          return "event";
        }
      })();
    case "parent":
      return parents[0];
    case "sparse": {
      const list = new Array<unknown>(1_000);
      list[7] = build(of, parents);
      return list;
    }
    case "long":
      return typeof of === "string" ? of.slice(0, 10).repeat(5_000) : of;
    case "revoked": {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    }
    case "throwing-proxy":
      return new Proxy(inner(), {
        get: fail,
        has: fail,
        ownKeys: fail,
        getOwnPropertyDescriptor: fail,
        getPrototypeOf: fail,
      });
    case "proxy":
      return new Proxy(inner(), {});
    case "getter":
      return described((_, value) => ({ get: () => value }));
    case "throwing":
      return described(() => ({ get: fail }));
    case "throwing-in-list": {
      const list: unknown[] = [1];
      define(list, "0", { get: fail });
      return list;
    }
    case "hidden":
      return described((_, value) => ({ value, enumerable: false }));
    case "null-prototype":
      return Object.assign(Object.create(null) as object, inner());
    case "inherited":
      return Object.create(inner()) as object;
    case "symbols":
      return Object.assign(inner(), { [Symbol.iterator]: 1, [Symbol("type")]: "request" });
    case "toJSON":
      return Object.assign(inner(), { toJSON: () => build(of, parents) });
    case "proto": {
      const object = {};
      define(object, "__proto__", { value: inner() });
      return object;
    }
    default:
      return of;
  }
}
