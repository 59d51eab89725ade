/**
 * Marks the page of a probably signed-in user with their role before anything is painted: the HTML is the same for
 * everyone, and styles choose between what members and visitors see (`web/ui/either.tsx`).
 */
const script = `var hint = /(?:^|; )(?:__Host-)?wayfare-hint=([a-z]+)/.exec(document.cookie); if (hint) document.documentElement.dataset.hint = hint[1];`;

/** Returns the page with that script at its very beginning. */
export const withHint = (html: string, nonce: string): string =>
  html.replace("<head>", () => `<head><script nonce="${nonce}">${script}</script>`);
