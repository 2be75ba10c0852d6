import type { JSX } from "preact";

/** The field of a page in which texts are searched; the key `/` leads to it. */
export function SearchField({
  label,
  value,
  onSearch,
}: {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}): JSX.Element {
  return (
    <input
      id="search"
      type="search"
      placeholder={label}
      aria-label={label}
      aria-keyshortcuts="/"
      value={value}
      onInput={(event) => onSearch(event.currentTarget.value)}
    />
  );
}
