import { prefetch } from "./prefetch.ts";

/** Milliseconds that a pointer or the focus rests on a link of which more is wanted; passing over means nothing. */
const rest = 50;

const savesData = (): boolean =>
  Reflect.get(Object(Reflect.get(navigator, "connection")), "saveData") === true;

/** The link to another screen of ours that something is part of. */
function linkOf(target: EventTarget | null): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest("a") : null;
  if (!link?.href || link.origin !== location.origin || link.target || link.download) return null;
  return link.pathname + link.search === location.pathname + location.search ? null : link;
}

/**
 * Fetches a screen and what it shows first as soon as somebody seems to be about to open it, whichever link that is,
 * until the returned function is called. Who saves data fetches nothing ahead.
 */
export function followIntent(): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let about: HTMLAnchorElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function turnTo(target: EventTarget | null, milliseconds: number) {
    const link = linkOf(target);
    if (link === about && milliseconds > 0) return;
    about = link;
    clearTimeout(timer);
    if (link && !savesData()) timer = setTimeout(() => void prefetch(new URL(link.href)), milliseconds);
  }

  const listen = (name: keyof DocumentEventMap, milliseconds: number) =>
    document.addEventListener(name, ({ target }) => turnTo(target, milliseconds), { signal, passive: true });
  listen("pointerover", rest);
  listen("focusin", rest);
  // Whoever touches or presses has decided.
  listen("touchstart", 0);
  listen("pointerdown", 0);
  // The pointer may have been quicker than this code.
  turnTo(document.querySelector("a:hover"), rest);
  return () => {
    listening.abort();
    clearTimeout(timer);
  };
}
