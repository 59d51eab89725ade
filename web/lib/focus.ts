/** The way from an element outwards: itself and its ancestors, each with its index among its siblings. */
export type FocusPath = readonly { element: HTMLElement; place: number }[];

const items = "li, tr, article, form";
const fields = "input:not([type=hidden]), select, textarea";
/** The elements that can take the focus when there is no next item. */
const rooms = `${items}, section, dialog[open], main`;

/** Returns the path to the focused element, to be restored once that has lost the focus. */
export function focusPath(): FocusPath {
  const path: { element: HTMLElement; place: number }[] = [];
  for (let at = document.activeElement; at instanceof HTMLElement; at = at.parentElement)
    path.push({ element: at, place: at.parentElement ? [...at.parentElement.children].indexOf(at) : 0 });
  return path;
}

const isThere = (element: Element) => element.isConnected && element.checkVisibility();

/** Returns the item that took the place of one that is gone: the next one, or the one before it. */
function successor(gone: FocusPath[number], parent: HTMLElement): HTMLElement | null {
  if (!gone.element.matches(items)) return null;
  const siblings = [...parent.children].slice(0, gone.place + 1).toReversed();
  const sibling = siblings.find((each) => each.matches(items) && isThere(each));
  return sibling instanceof HTMLElement ? sibling : null;
}

/** Returns the nearest visible element to the end of this path. */
function nearest(path: FocusPath): HTMLElement | null {
  const at = path.findIndex(({ element }) => isThere(element));
  const [gone, parent] = [path[at - 1], path[at]?.element];
  const next = gone && parent ? successor(gone, parent) : null;
  return next ?? parent?.closest<HTMLElement>(rooms) ?? document.querySelector("main");
}

/** Focuses an element that is no control: a key that is still pressed must not repeat the action on the next item. */
function goTo(element: HTMLElement | null): void {
  const target = element?.matches("form") ? (element.querySelector<HTMLElement>(fields) ?? element) : element;
  if (!target) return;
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: !target.matches(items) });
}

/**
 * Gives a lost focus back to the element at the end of this path. If that is gone, the next item of its list gets it, or
 * else its container.
 */
export function restoreFocus(path: FocusPath): void {
  const [last] = path;
  if (!last || document.activeElement !== document.body) return;
  if (isThere(last.element)) last.element.focus({ preventScroll: true });
  else goTo(nearest(path));
}

/** Passes the focus on when an element that has it goes away; for the element's `ref`. */
export const passFocusOn = (element: HTMLElement | null) => () => {
  if (!element?.contains(document.activeElement)) return;
  const path = focusPath();
  // The element is still there; by the microtask React has removed it, and dialogs that close have closed.
  queueMicrotask(() => restoreFocus(path));
};
