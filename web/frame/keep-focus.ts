/** The path to an element: itself and its ancestors, from the inside out, each with its index among its siblings. */
type Path = readonly { element: HTMLElement; place: number }[];

const items = "li, tr, article, form";
const fields = "input:not([type=hidden]), select, textarea";
/** The elements that can take the focus when there is no next item. */
const rooms = `${items}, section, dialog[open], main`;

function pathTo(element: Element): Path {
  const path: { element: HTMLElement; place: number }[] = [];
  for (let at: Element | null = element; at instanceof HTMLElement; at = at.parentElement)
    path.push({ element: at, place: at.parentElement ? [...at.parentElement.children].indexOf(at) : 0 });
  return path;
}

const isThere = (element: Element) => element.isConnected && element.checkVisibility();

/** Returns the item that took the place of one that is gone: the next one, or the one before it. */
function successor(gone: Path[number], parent: HTMLElement): HTMLElement | null {
  if (!gone.element.matches(items)) return null;
  const siblings = [...parent.children].slice(0, gone.place + 1).toReversed();
  const sibling = siblings.find((each) => each.matches(items) && isThere(each));
  return sibling instanceof HTMLElement ? sibling : null;
}

/** Returns the nearest visible element to the end of this path. */
function nearest(path: Path): HTMLElement | null {
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

/** The path to the element that has the focus, or had it last. */
let path: Path = [];
/** The path to the opener of each dialog. */
const openers = new WeakMap<Element, Path>();

function note({ target }: FocusEvent) {
  if (!(target instanceof HTMLElement)) return;
  const dialog = target.closest("dialog");
  if (dialog && !path.some(({ element }) => element === dialog)) openers.set(dialog, path);
  path = pathTo(target);
}

/** Forgets the path when a click outside of every control takes the focus away on purpose. */
function clearPath() {
  if (document.activeElement === document.body) path = [];
}

function restore() {
  const [last] = path;
  if (!last || document.activeElement !== document.body) return;
  if (isThere(last.element)) {
    if (!last.element.matches(":disabled")) last.element.focus({ preventScroll: true });
    return;
  }
  const closed = path.find(({ element }) => element.matches("dialog:not([open])"))?.element;
  goTo(nearest((closed && openers.get(closed)) ?? path));
}

/**
 * Keeps the focus from falling to the page itself. When the focused element is gone, the next item of its list gets the
 * focus, or else its container; a button that was only busy gets it back; and after a dialog whose opener is gone, the
 * opener's container gets it.
 */
export default function keepFocus(): void {
  if (document.activeElement) path = pathTo(document.activeElement);
  new MutationObserver(restore).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled", "open"],
  });
  document.addEventListener("focusin", note);
  // Listens in the capture phase, before any handler: a button that is busy at once has lost the focus when it bubbles.
  document.addEventListener("click", clearPath, true);
}
