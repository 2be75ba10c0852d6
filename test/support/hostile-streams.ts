/** Creates random streams from peers that crash, print, miscount or attack. */

/** Valid and invalid bodies. Each character stands for a byte. */
const bodies: readonly string[] = [
  '{"a":1}',
  '{"é":"日本😀"}',
  "{}",
  "[]",
  "null",
  "",
  '{"b":',
  '{"x":[[[[1]]]]}',
  "{bad}",
  '{"a":\n1}',
  '{\n  "c": {\n\n  }\r\n}',
  ' {"s":2} ',
  '{"__proto__":{"polluted":1}}',
  '"a":1}',
  "}",
  '{"k":"Content-Length: 5"}',
  '{"t":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}',
].map((text) => Buffer.from(text).toString("latin1"));
const byteOrderMark = "\xef\xbb\xbf";

/** Creates pieces of streams. `random` returns numbers in [0, 1). */
export class HostileStreams {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Returns a random whole number below a bound. */
  below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  /** Returns up to `most` pieces, possibly with some bytes changed, dropped or repeated. */
  bytes(most: number): Buffer {
    const parts = Array.from({ length: 1 + this.below(most) }, () => this.#piece());
    let text = parts.join("");
    if (this.below(4) === 0) {
      const from = this.below(text.length);
      text = text.slice(0, from) + text.slice(this.below(text.length));
    }
    const bytes = Buffer.from(text, "latin1");
    const changes = this.below(3) === 0 && bytes.length > 0 ? this.below(4) : 0;
    for (let change = 0; change < changes; change++)
      bytes[this.below(bytes.length)] = this.pick([10, 13, 32, 34, 58, 123, 125, this.below(256)]);
    return bytes;
  }

  /** Returns offsets that split bytes into pieces of at most `most` bytes. */
  cuts(length: number, most: number): readonly number[] {
    const cuts: number[] = [];
    for (let at = 1 + this.below(most); at < length; at += 1 + this.below(most)) cuts.push(at);
    return cuts;
  }

  #piece(): string {
    const body = this.pick(bodies);
    const { length } = body;
    const framed = (announced: number | string): string =>
      `Content-Length: ${announced}\r\n\r\n${body}`;
    const odd = ["-1", "abc", "", "99999999999999999999", "2147483647", "1e3", "31"];
    const charsets = ["latin1", "utf-16", "utf-8", "us-ascii", "'UTF-8'", '"utf8"'];
    switch (this.below(24)) {
      case 0:
        return framed(length + this.below(40));
      case 1:
        return framed(Math.max(0, length - this.below(12)));
      case 2:
        return framed(this.pick(odd));
      case 3:
        return `content-length:${length}\n\n${body}`;
      case 4:
        return `Content-Type: a; charset=${this.pick(charsets)}\r\n${framed(length + this.pick([0, 0, 30]))}`;
      case 5:
        return `Content-Length: ${length}\r\nContent-Length: ${this.below(30)}\r\n\r\n${body}`;
      case 6:
        return `Content-Length: ${length}\r\nprinted\r\n\r\n${body}`;
      case 7:
        return this.pick(["\r\n", "\n", "\r", "\r\n\r\n", byteOrderMark]);
      case 8:
        return "printed line\n";
      case 9:
        return "printed without an end";
      case 10:
        return `X-${this.below(9)}: ${"v".repeat(this.below(60))}\r\n`;
      case 11:
        return "a: b\r\n".repeat(this.below(8));
      case 12:
        return "no header line\r\n".repeat(this.below(5));
      case 13:
        return body;
      case 14:
        return `${body}\n`;
      case 15:
        return "Content-Le";
      case 16:
        return `Content-Length: ${this.below(50)}${this.pick(["", "\r", "\r\n"])}`;
      case 17:
        return `junk Content-Length : ${this.below(30)} \t\r\n`;
      case 18:
        return "x".repeat(this.below(150));
      case 19:
        return String.fromCharCode(this.below(256));
      case 20:
        return byteOrderMark + body;
      default:
        return framed(length);
    }
  }
}
