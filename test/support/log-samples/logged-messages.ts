/** The messages in the samples, and how logs write them. */
export const threads = { type: "request", command: "threads" };
export const ask = (seq: number): object => ({ seq, ...threads });
export const answerWithoutNumber = {
  type: "response",
  request_seq: 1,
  success: true,
  command: "threads",
};
export const answer = { seq: 0, ...answerWithoutNumber };
export const stopped = { seq: 3, type: "event", event: "stopped", body: { reason: 'a "b" {\\' } };
export const own = { seq: 4, type: "event", event: "mine" };
export const one = (value: object): string => JSON.stringify(value);
export const several = (value: object, indent = ""): string =>
  JSON.stringify(value, undefined, 2).replaceAll("\n", `\n${indent}`);
export const cut = { code: "ERR_LOST", message: "A logged message is incomplete" };
export const broken = { code: "ERR_LOST", message: "Cannot read a logged message as JSON" };
