import type { JSX } from "preact";

/** The page's search field. The `/` key moves to it. */
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
