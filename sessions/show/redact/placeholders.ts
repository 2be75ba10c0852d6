/** Maximum number of strings that are remembered. An older one gets a new placeholder. */
const maxRemembered = 1_000_000;

/** Shorter text gets a placeholder without a name. */
const shortLength = 8;

/**
 * Replaces strings with placeholders. The same string always gets the same one, so it can still be
 * compared. The shape is kept: a path remains a path, an address an address, lines remain lines, and
 * other text has the same length.
 */
export class Placeholders {
  readonly #texts = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** Number of different strings replaced. */
  get size(): number {
    return this.#texts.size;
  }

  /** @param patterns Match the placeholder, if possible, exactly if they match the text. */
  ofText(text: string, patterns: readonly RegExp[] = []): string {
    const placeholder = this.#ofLines(text);
    const isLike = (each: string): boolean =>
      patterns.every((pattern) => pattern.test(each) === pattern.test(text));
    if (isLike(placeholder)) return placeholder;
    return this.#remembered(`pattern ${text}`, () => {
      const digits = this.#next("", "digits").padStart(text.length, "0");
      const spaced = `${placeholder.slice(0, -1)} ${placeholder.slice(-1)}`;
      const [, name = "", line = ""] = /^(.*?)(:\d{1,9})?$/s.exec(text)!;
      const numbered = this.#ofLines(name) + line;
      return [numbered, this.#base64(text), digits, spaced].find(isLike) ?? placeholder;
    });
  }

  #ofLines(text: string): string {
    if (!/[\n\r\x1b]/.test(text)) return this.#ofLine(text);
    // Keep line breaks, and the colours in a terminal's text.
    return text
      .split(/(\r\n|[\n\r]|\x1b\[[\d;]*m)/)
      .map((part, index) => (index % 2 === 1 ? part : this.#ofLine(part)))
      .join("");
  }

  /** @param isKept Returns whether the name is kept. Called once for each name. */
  ofKey(key: string, isKept: () => boolean): string {
    return this.#remembered(`key ${key}`, () => (isKept() ? key : this.#next("key-")));
  }

  ofNumber(number: number): number {
    return Number(this.#remembered(`number ${number}`, () => this.#next("")));
  }

  #ofLine(line: string): string {
    const [, before = "", text = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(line)!;
    if (text === "" || isTime.test(text)) return line;
    return before + this.#remembered(`text ${text}`, () => this.#shaped(text)) + after;
  }

  #shaped(text: string): string {
    const { length } = text;
    if (/^-?\d{1,19}$/.test(text)) return this.#next("");
    const [, sign = "", address] = /^([+-]?)0x([\da-f]{1,16})$/i.exec(text) ?? [];
    if (address !== undefined) {
      const digits = Number(this.#next("", "address")).toString(16);
      return `${sign}0x${digits.padStart(address.length, "0")}`;
    }
    const [, extension = ""] = /^[^\s:]*(\.\w+)(?::\d{1,9})?$/.exec(text) ?? [];
    if (extensions.has(extension.toLowerCase())) return this.#path(text);
    const [, scheme, rest = ""] = /^([a-z][\w+.-]+):(?!\s)(.*)$/is.exec(text) ?? [];
    if (scheme !== undefined) {
      const shown = schemes.has(scheme.toLowerCase()) ? scheme : "uri";
      return rest.startsWith("//")
        ? `${shown}://${this.#path(rest.slice(2).replace(/[?#].*$/s, ""))}`
        : `${shown}:${this.#next("text-")}`;
    }
    if (/^(?:[a-z]:|~|\.{0,2})[\\/]/i.test(text) || /^\S*[\\/]\S*$/.test(text)) {
      if (!isBase64(text)) return this.#path(text);
    }
    if (isBase64(text)) return this.#base64(text);
    if (length >= shortLength) return this.#next("text-").padEnd(length, ".");
    return lettersOf(Number(this.#next("", "short"))).padEnd(length, ".");
  }

  /** Returns base64 of the same length. */
  #base64(text: string): string {
    const padding = /=*$/.exec(text)![0].length;
    const length = Math.max(0, Math.floor(text.length / 4) * 3 - padding);
    return Buffer.alloc(length, `${this.#next("", "bytes")} `).toString("base64");
  }

  /** Replaces the names in a path. The last one keeps its extension if that is a common one. */
  #path(path: string): string {
    const parts = path.split(/([\\/]+)/);
    return parts
      .map((name, index) => {
        if (index % 2 === 1 || /^(?:|~|\.{1,2}|[a-z]:)$/i.test(name)) return name;
        if (index < parts.length - 1)
          return this.#remembered(`folder ${name}`, () => this.#next("p"));
        const [, file = "", line = ""] = /^(.*?)(:\d{1,9})?$/s.exec(name)!;
        const extension = /\.\w+$/.exec(file)?.[0] ?? "";
        const shown = extensions.has(extension.toLowerCase()) ? extension : "";
        return this.#remembered(`file ${file}`, () => this.#next("f") + shown) + line;
      })
      .join("");
  }

  #remembered(key: string, create: () => string): string {
    let placeholder = this.#texts.get(key);
    if (placeholder === undefined) {
      placeholder = create();
      if (this.#texts.size >= maxRemembered) this.#texts.delete(this.#texts.keys().next().value!);
      this.#texts.set(key, placeholder);
    }
    return placeholder;
  }

  #next(prefix: string, counter = prefix): string {
    const count = (this.#counts.get(counter) ?? 0) + 1;
    this.#counts.set(counter, count);
    return `${prefix}${count}`;
  }
}

/** Returns a number as letters: a to z, then ba, bb and so on. */
function lettersOf(count: number): string {
  let letters = "";
  for (let rest = count - 1; rest > 0 || letters === ""; rest = Math.floor(rest / 26))
    letters = String.fromCharCode(97 + (rest % 26)) + letters;
  return letters;
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;

function isBase64(text: string): boolean {
  return (
    text.length >= 8 &&
    text.length % 4 === 0 &&
    /^[A-Za-z\d+/]+={0,2}$/.test(text) &&
    (text.endsWith("=") || (/[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text)))
  );
}

const schemes = new Set(
  "file http https ws wss untitled urn mailto data git output memory vscode-remote".split(" "),
);

const extensions = new Set(
  ".astro .bat .c .cc .class .clj .cmd .cpp .cs .css .cxx .d .dart .dll .dylib .elf .erl .ex .exe .exs .f90 .fs .go .h .hh .hpp .hs .html .hxx .jar .java .jl .js .json .jsx .kt .lua .m .map .md .mjs .ml .mm .php .pl .ps1 .py .r .rb .rkt .rs .scala .sh .so .sql .svelte .swift .toml .ts .tsx .txt .vb .vue .wasm .xml .yaml .yml .zig".split(
    " ",
  ),
);
