/** Returns a list of the reasons for rejections that nobody has handled, from now on. */
export function collectRejections(): unknown[] {
  const reasons: unknown[] = [];
  process.on("unhandledRejection", (reason) => reasons.push(reason));
  return reasons;
}
