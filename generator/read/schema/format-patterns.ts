const day = String.raw`(0[1-9]|[12]\d)`;
const date = String.raw`\d{4}-(02-${day}|(0[469]|11)-(${day}|30)|(0[13578]|1[02])-(${day}|3[01]))`;
const time = String.raw`([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([zZ]|[+-]([01]\d|2[0-3]):[0-5]\d)`;
const octet = String.raw`(25[0-5]|2[0-4]\d|1?\d?\d)`;
const label = "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const uriPart = String.raw`([\w.~!$&'()*+,;=:@/?#[\]-]|%[0-9a-fA-F]{2})*`;

/**
 * Regular expressions for formats, used only if a description requests format checks. They check
 * only a string's form. For example, they accept February 29 in every year.
 */
export const formatPatterns: ReadonlyMap<string, string> = new Map([
  ["date", `^${date}$`],
  ["time", `^${time}$`],
  ["date-time", `^${date}[tT]${time}$`],
  ["email", String.raw`^("([^"\\]|\\.)*"|[^\s@"<>]+)@(${label}(\.${label})*|\[[^\]\s]+\])$`],
  ["hostname", String.raw`^(?=.{1,253}$)${label}(\.${label})*$`],
  ["ipv4", String.raw`^(${octet}\.){3}${octet}$`],
  ["uri", `^[a-zA-Z][a-zA-Z0-9+.-]*:${uriPart}$`],
  ["uri-reference", `^${uriPart}$`],
  ["uuid", "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"],
  ["json-pointer", "^(/([^~/]|~[01])*)*$"],
]);
