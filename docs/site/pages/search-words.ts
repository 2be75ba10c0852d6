/** How the search orders pages. The defaults prefer short pages about other protocols. */
export const searchRanking: Readonly<Record<string, number>> = {
  pageLength: 0.2,
  termSimilarity: 8,
};

/**
 * Questions that a page answers, in the words of people who do not know the page's own words. The
 * search finds a page only if it contains every word of a query.
 */
export const questions: Readonly<Record<string, string>> = {
  "guides/adapter":
    "How do I write, build or create a debug adapter or debugger for VS Code? What does a debug adapter have to do?",
  "guides/agent-breakpoints":
    "How can an AI agent, LLM or model set breakpoints and debug a program?",
  "guides/cdp": "How do I debug Chrome, a browser or Node with the Chrome DevTools Protocol?",
  "guides/client":
    "How do I start, launch or run a debug session from my code, a script or an editor? How do I connect to an adapter?",
  "guides/comparison":
    "Why should I use it? What is the difference, which library is better or faster than ajv, vscode-debugadapter or vscode-jsonrpc?",
  "guides/dbgp": "How do I debug PHP with Xdebug?",
  "guides/export": "How do I open a session as a trace in Perfetto, Jaeger, OpenTelemetry or SQL?",
  "guides/from-debugadapter": "How do I migrate, move, port or upgrade from @vscode/debugadapter?",
  "guides/from-vscode-jsonrpc": "How do I migrate, move, port or upgrade from vscode-jsonrpc?",
  "guides/inspector": "How do I see, view, show or look at a log or session in the browser?",
  "guides/launch-configurations":
    "How do I check, validate or complete the attributes and settings in launch.json and package.json?",
  "guides/lsp": "How do I write a language server or client with types for LSP?",
  "guides/mcp": "How do I write an MCP server or client with types, for tools of an AI model?",
  "guides/own-protocol":
    "How do I generate types, validators and TypeScript code from my own protocol, JSON Schema or messages?",
  "guides/proxy":
    "How do I put a proxy, man in the middle or bridge between an editor and an adapter, and change or forward messages?",
  "guides/recordings":
    "How fast or slow is my adapter? How do I count and measure its response times?",
  "guides/redaction":
    "How do I remove, hide or anonymize secrets, passwords, paths and personal data from a log or recording before I share it?",
  "guides/streams":
    "How do I read, parse, decode, encode and write messages from bytes, a file, a socket or stdin? createDecoder, createEncoder, readMessages.",
  "guides/tap":
    "How do I record, log, capture or trace the messages of a session between an editor and an adapter?",
  "guides/test-your-adapter":
    "How do I test, check or verify my adapter against the protocol specification in CI? Which checks does it pass?",
  "guides/test-your-client":
    "How do I test my client, editor or IDE against adapters that make mistakes?",
  "guides/testing": "How do I test my adapter or client, mock a debugger, and write unit tests?",
  "guides/troubleshooting":
    "Why does it not work? What is the problem, error or warning, and how do I fix it?",
  benchmarks:
    "How fast is it? Is it faster or slower than ajv, zod, valibot or TypeBox? Performance and size.",
  conformance:
    "Which adapters pass or fail which checks? How well does my debugger follow the specification?",
  platforms:
    "Does it run or work in Deno, Bun, a browser, Windows, macOS or Linux? Which version of Node do I need?",
  "reference/cli":
    "How do I find breaking changes between two versions? What are the commands, options and exit codes, in a CI?",
  "reference/diff-rules": "What are breaking changes in a new version of a protocol or schema?",
  "reference/error-codes":
    "What does the error ERR mean, and what do I do about it? Timeout, cancel, closed.",
  "reference/lint-rules":
    "What does this warning or error of lint mean, and how do I turn a rule off?",
};
