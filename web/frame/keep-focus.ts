/** Where an element stands: itself and everything around it, from the inside out, each with its place among its siblings. */
type Path = readonly { element: HTMLElement; place: number }[];

const items = "li, tr, article, form";
const fields = "input:not([type=hidden]), select, textarea";
/** Where the keyboard can go on when there is no next item. */
const rooms = `${items}, section, dialog[open], main`;

function pathTo(element: Element): Path {
  const path: { element: HTMLElement; place: number }[] = [];
  for (let at: Element | null = element; at instanceof HTMLElement; at = at.parentElement)
    path.push({ element: at, place: at.parentElement ? [...at.parentElement.children].indexOf(at) : 0 });
  return path;
}

const isThere = (element: Element) => element.isConnected && element.checkVisibility();

/** What took the place of an item that is gone: the next one, or the one before it. */
function successor(gone: Path[number], parent: HTMLElement): HTMLElement | null {
  if (!gone.element.matches(items)) return null;
  const siblings = [...parent.children].slice(0, gone.place + 1).toReversed();
  const found = siblings.find((each) => each.matches(items) && isThere(each));
  return found instanceof HTMLElement ? found : null;
}

/** The nearest thing to what stood at the end of this path. */
function nearest(path: Path): HTMLElement | null {
  const at = path.findIndex(({ element }) => isThere(element));
  const [gone, parent] = [path[at - 1], path[at]?.element];
  const next = gone && parent ? successor(gone, parent) : null;
  return next ?? parent?.closest<HTMLElement>(rooms) ?? document.querySelector("main");
}

/** Focuses it although it is no control: a pressed key must not do the same to the next item. */
function goTo(element: HTMLElement | null): void {
  const target = element?.matches("form") ? (element.querySelector<HTMLElement>(fields) ?? element) : element;
  if (!target) return;
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: !target.matches(items) });
}

/** To what has the focus, or had it last. */
let path: Path = [];
/** From where each dialog was opened. */
const openers = new WeakMap<Element, Path>();

function note({ target }: FocusEvent) {
  if (!(target instanceof HTMLElement)) return;
  const dialog = target.closest("dialog");
  if (dialog && !path.some(({ element }) => element === dialog)) openers.set(dialog, path);
  path = pathTo(target);
}

/** A click beside everything takes the focus away on purpose. */
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
 * From now on the focus never falls to the page itself: when what has it is gone, the next item of its list
 * gets it, or else what it stood in; a button that was only busy gets it back; and after a dialog whose opener is
 * gone, what the opener stood in.
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
  // Before anything answers the click: a button that is busy at once has lost the focus by the time it bubbles here.
  document.addEventListener("click", clearPath, true);
}
