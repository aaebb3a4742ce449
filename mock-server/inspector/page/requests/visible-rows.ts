import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Which rows of a long list stand in sight, and a little beyond. */
export interface VisibleRows {
  /** The index of the first row to draw. */
  readonly first: number;
  /** The index after the last row to draw. */
  readonly last: number;
  /** How many rows fit. */
  readonly page: number;
  /** Called when the box was scrolled. */
  readonly look: () => void;
}

/** Rows beyond both edges, so that nothing is blank while it scrolls. */
const SPARE = 12;

/**
 * Follows what of `count` rows of one height is in sight of a box that scrolls. With `staysAtEnd`, a box that is at its
 * end stays there.
 */
export function useVisibleRows(
  box: RefObject<HTMLElement | null>,
  count: number,
  height: number,
  staysAtEnd: boolean,
): VisibleRows {
  const isAtEnd = useRef(true);
  const [seen, setSeen] = useState({ top: 0, height: 600 });
  const look = (): void => {
    const { current } = box;
    if (current === null) return;
    isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < height;
    setSeen({ top: current.scrollTop, height: current.clientHeight });
  };
  useLayoutEffect(() => {
    if (staysAtEnd && isAtEnd.current && box.current !== null)
      box.current.scrollTop = box.current.scrollHeight;
  }, [count, height]);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, [height]);
  return {
    first: Math.max(0, Math.floor(seen.top / height) - SPARE),
    last: Math.min(count, Math.ceil((seen.top + seen.height) / height) + SPARE),
    page: Math.max(1, Math.floor(seen.height / height) - 2),
    look,
  };
}

/** Scrolls as far as it takes to see the row whose top is so many pixels below the first one. */
export function scrollToRow(box: HTMLElement | null, top: number, height: number): void {
  if (box === null) return;
  // The head of the columns is as high as a row.
  const end = top + 2 * height;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (end > box.scrollTop + box.clientHeight) box.scrollTop = end - box.clientHeight;
}

/** The index that a key leads to from another one; −1: none is chosen. Undefined: the key leads nowhere. */
export function nextChoice(key: string, index: number, length: number, page: number): number | undefined {
  if (length === 0) return undefined;
  const last = length - 1;
  const from = index === -1 ? last : index;
  switch (key) {
    case 'ArrowDown':
      return index === -1 ? last : Math.min(from + 1, last);
    case 'ArrowUp':
      return index === -1 ? last : Math.max(from - 1, 0);
    case 'PageDown':
      return Math.min(from + page, last);
    case 'PageUp':
      return Math.max(from - page, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
