/** Returns the form of a noun that follows a number: `message` after 1, `messages` after others. */
export function nounAfter(count: number, noun: string, many = `${noun}s`): string {
  return count === 1 ? noun : many;
}

/** Returns a number with its noun: `1 message`, `2 messages`. */
export function countText(count: number, noun: string, many?: string): string {
  return `${count} ${nounAfter(count, noun, many)}`;
}
