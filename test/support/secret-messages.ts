export const launch = (args: object): object => ({
  seq: 1,
  type: "request",
  command: "launch",
  arguments: args,
});

export const output = (text: unknown): object => ({
  seq: 2,
  type: "event",
  event: "output",
  body: { output: text },
});
