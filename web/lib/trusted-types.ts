/** What React sets as HTML by itself when it makes a script element: one that does nothing. */
const emptyScript = "<script></script>";

type Rules = { createHTML: (text: string) => string };
declare global {
  interface Window {
    /** Not every browser has it. */
    trustedTypes?: { createPolicy: (name: "default", rules: Rules) => unknown };
  }
}

/**
 * The page's policy (server/pages.ts) lets no text become HTML or code but by this: text without a tag, as the JSON of a
 * page's description is, and React's own empty script.
 */
window.trustedTypes?.createPolicy("default", {
  createHTML(text) {
    if (text === emptyScript || !text.includes("<")) return text;
    throw new TypeError("Text must not become HTML.");
  },
});

export {};
