/** A tab's input, by field. */
export type TabInput = Readonly<Record<string, string>>;

/** Maximum number of characters of input in a link. Longer links do not fit into some chats. */
const maxShared = 100_000;

/** Maximum size of the input that is read from a link, whose sender may be hostile. */
const maxRead = 4_000_000;

/**
 * Returns the fragment of a link that contains a tab's input, or undefined if it would be too long.
 * Browsers do not send a link's fragment to the server.
 */
export async function writeFragment(tab: string, input: TabInput): Promise<string | undefined> {
  const text = JSON.stringify(input);
  if (text.length > maxShared) return undefined;
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `#${tab}=${base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Reads a link's fragment: a tab's name and its input, which is empty if there is none. */
export async function readFragment(
  fragment: string,
): Promise<{ readonly tab: string; readonly input: TabInput }> {
  const [tab = "", packed = ""] = fragment.replace(/^#/, "").split("=");
  try {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const decoder = new TextDecoder();
    let text = "";
    for (const reader = stream.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
      if (text.length > maxRead) return { tab, input: {} };
    }
    const fields = Object.entries(JSON.parse(text) as object).filter(
      ([, value]) => typeof value === "string",
    );
    return { tab, input: Object.fromEntries(fields) as TabInput };
  } catch {
    return { tab, input: {} };
  }
}
