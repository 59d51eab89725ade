/**
 * Marks the page of somebody who is probably signed in, before anything is painted: the HTML is the same for everyone,
 * and styles choose between what members and visitors see (`web/ui/either.tsx`).
 */
const script = `if (/(^|; )(__Host-)?wayfare-hint=[a-z]/.test(document.cookie)) document.documentElement.dataset.hint = "";`;

/** The page with that script at its very beginning. */
export const withHint = (html: string, nonce: string): string =>
  html.replace("<head>", () => `<head><script nonce="${nonce}">${script}</script>`);
