const site = "https://microsoft.github.io/debug-adapter-protocol";

const base = ["ProtocolMessage", "Request", "Event", "Response", "ErrorResponse", "CancelRequest"];
const reverse = ["RunInTerminal", "StartDebugging"];

/**
 * Returns the address of a place in the specification, such as `StackFrame.line` or `Overview, Content
 * Part`, or undefined if it has none.
 */
export function specificationLink(stated: string): string | undefined {
  const [page, section] = stated.split(", ");
  if (page === "Overview" && section !== undefined)
    return `${site}/overview#${section.toLowerCase().replaceAll(" ", "-")}`;
  if (stated === "The schema") return `${site}/debugAdapterProtocol.json`;
  const [, definition] = /^([A-Z]\w+)(?:\.\w+)?$/.exec(stated) ?? [];
  return definition === undefined ? undefined : `${site}/specification#${anchorOf(definition)}`;
}

/** Arguments and responses are described below their requests. */
function anchorOf(definition: string): string {
  if (base.includes(definition))
    return `Base_Protocol_${definition.replace(/^CancelRequest$/, "Cancel")}`;
  const [, name = definition, kind] =
    /^(.+?)(Event|Response|RequestArguments|Arguments|Request)$/.exec(definition) ?? [];
  if (kind === undefined) return `Types_${name}`;
  if (kind === "Event") return `Events_${name}`;
  return `${reverse.includes(name) ? "Reverse_Requests" : "Requests"}_${name}`;
}
