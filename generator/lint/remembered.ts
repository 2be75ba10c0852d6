/** Requests and references that are remembered at most: a session may go on for days. */
export const maxRemembered = 100_000;
