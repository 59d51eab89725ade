/** The path from an element outwards: itself and its ancestors, each with its index among its siblings. */
export type FocusPath = readonly { element: HTMLElement; place: number }[];

const items = "li, tr, article, form";
const fields = "input:not([type=hidden]), select, textarea";
/** The elements that can take the focus when there is no next item. */
const containers = `${items}, section, dialog[open], main`;

/** Returns the path to the focused element, to be restored once that has lost the focus. */
export function focusPath(): FocusPath {
  const path: { element: HTMLElement; place: number }[] = [];
  for (let at = document.activeElement; at instanceof HTMLElement; at = at.parentElement)
    path.push({ element: at, place: at.parentElement ? [...at.parentElement.children].indexOf(at) : 0 });
  return path;
}

const isVisible = (element: Element) => element.isConnected && element.checkVisibility();

/** Returns the item that took the place of a removed one: the next one, or else the one before it. */
function successor(gone: FocusPath[number], parent: HTMLElement): HTMLElement | null {
  if (!gone.element.matches(items)) return null;
  const siblings = [...parent.children].slice(0, gone.place + 1).toReversed();
  const sibling = siblings.find((each) => each.matches(items) && isVisible(each));
  return sibling instanceof HTMLElement ? sibling : null;
}

/** Returns the visible element nearest to the start of this path. */
function nearest(path: FocusPath): HTMLElement | null {
  const at = path.findIndex(({ element }) => isVisible(element));
  const [gone, parent] = [path[at - 1], path[at]?.element];
  const next = gone && parent ? successor(gone, parent) : null;
  return next ?? parent?.closest<HTMLElement>(containers) ?? document.querySelector("main");
}

/** Focuses an element that is not a control, so that a key still pressed doesn't repeat the action on the next item. */
function focusOn(element: HTMLElement | null): void {
  const target = element?.matches("form") ? (element.querySelector<HTMLElement>(fields) ?? element) : element;
  if (!target) return;
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: !target.matches(items) });
}

/**
 * Gives a lost focus back to the element at the start of this path. If that is gone, the next item of its list gets it,
 * or else its container.
 */
export function restoreFocus(path: FocusPath): void {
  const [focused] = path;
  if (!focused || document.activeElement !== document.body) return;
  if (isVisible(focused.element)) focused.element.focus({ preventScroll: true });
  else focusOn(nearest(path));
}

/** Passes the focus on when the focused element is removed; for the element's `ref`. */
export const passFocusOn = (element: HTMLElement | null) => () => {
  if (!element?.contains(document.activeElement)) return;
  const path = focusPath();
  // The element is still there; by the microtask React has removed it, and dialogs that close have closed.
  queueMicrotask(() => restoreFocus(path));
};
