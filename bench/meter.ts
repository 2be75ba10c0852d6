/** Preloaded into a measured process: its last line on stderr is what the process has used. */
process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  const { maxRSS } = process.resourceUsage();
  process.stderr.write(`\nmetered ${user + system} ${maxRSS}\n`);
});
