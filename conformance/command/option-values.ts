/** @throws TypeError if the value is not a whole number of at least 1. */
export function positive(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new TypeError(`${name} requires a number of at least 1, not "${text}"`);
}
