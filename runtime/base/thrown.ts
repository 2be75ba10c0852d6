/** Returns the message of a thrown value of any type. Never throws. */
export function textOfThrown(thrown: unknown): string {
  try {
    if (thrown instanceof Error && typeof thrown.message === "string") return thrown.message;
    return String(thrown);
  } catch {
    return "A value without a message was thrown";
  }
}
