import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { placeOf } from "./page-state.js";

/** Number of items to draw above and below the visible ones. */
const spare = 12;

interface ListProps {
  /** Name of an item in ids and data attributes. */
  readonly kind: "row" | "pair";
  readonly label: string;
  /** An item's height in pixels. Lists narrower than `narrowBelow` pixels have higher items. */
  readonly heights: { readonly wide: number; readonly narrow: number };
  readonly narrowBelow: number;
  readonly narrowClass: string;
  /** The numbers of the items in ascending order. */
  readonly items: readonly number[];
  readonly selected: number;
  readonly classOf: (item: number) => string;
  readonly draw: (item: number) => JSX.Element;
  readonly onSelect: (item: number) => void;
  /** Whether the list keeps scrolling to its end. Undefined if it cannot grow. */
  readonly isFollowing?: Signal<boolean> | undefined;
}

/** A list that draws only its visible items, and keeps the selected one in sight. */
export function VirtualList(props: ListProps): JSX.Element {
  const { kind, label, heights, narrowBelow, narrowClass, items, selected, isFollowing } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, room: 0, width: 0 });
  const isNarrow = view.width < narrowBelow;
  const height = isNarrow ? heights.narrow : heights.wide;
  const isAtEnd = isFollowing?.value === true;
  useLayoutEffect(() => {
    const element = box.current!;
    const measure = (): void =>
      setView({
        top: element.scrollTop,
        room: element.clientHeight,
        width: element.clientWidth,
      });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const place = placeOf(items, selected);
  const isListed = items[place] === selected;
  useLayoutEffect(() => {
    if (isAtEnd) box.current!.scrollTop = items.length * height;
    else if (isListed) reveal(box.current!, place * height, height);
  }, [items, selected, height, isAtEnd]);
  const seen = Math.ceil(view.room / height) + 2 * spare;
  const first = Math.max(0, Math.floor(view.top / height) - spare);
  const from = Math.max(0, Math.min(first, items.length - seen));
  return (
    <div
      ref={box}
      id="list"
      class={isNarrow ? `rows ${narrowClass}` : "rows"}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={isListed ? `${kind}-${selected}` : undefined}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        setView({ ...view, top: scrollTop });
        if (isFollowing !== undefined && scrollTop + clientHeight >= scrollHeight - 4)
          isFollowing.value = true;
      }}
      onWheel={() => isFollowing !== undefined && (isFollowing.value = false)}
      onClick={(event) => {
        const hit = (event.target as Element).closest<HTMLElement>(`[data-${kind}]`);
        if (hit !== null) props.onSelect(Number(hit.dataset[kind]));
      }}
    >
      <div class="sheet" role="presentation" style={{ height: `${items.length * height}px` }}>
        {items.slice(from, from + seen).map((item, index) => (
          <div
            key={item}
            id={`${kind}-${item}`}
            {...{ [`data-${kind}`]: item }}
            class={props.classOf(item)}
            role="option"
            aria-selected={item === selected}
            aria-posinset={from + index + 1}
            aria-setsize={items.length}
            style={{ transform: `translateY(${(from + index) * height}px)` }}
          >
            {props.draw(item)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Scrolls just far enough to show an item. If the item is far away, scrolls it to the middle. */
function reveal(element: HTMLElement, top: number, height: number): void {
  const { scrollTop, clientHeight } = element;
  const isFar = top < scrollTop - clientHeight || top > scrollTop + 2 * clientHeight;
  if (isFar) element.scrollTop = top - clientHeight / 2;
  else if (top < scrollTop) element.scrollTop = top;
  else if (top + height > scrollTop + clientHeight) element.scrollTop = top + height - clientHeight;
}
