import { pushWorkerPath } from "#protocol/addresses.ts";

/** React itself sets this HTML when it makes a script element; the script does nothing. */
const emptyScript = "<script></script>";

type Rules = { createHTML: (text: string) => string; createScriptURL: (url: string) => string };
declare global {
  interface Window {
    /** Not every browser has it. */
    trustedTypes?: { createPolicy: (name: "default", rules: Rules) => unknown };
  }
}

/**
 * Creates the only Trusted Types policy that the page may have (server/pages.ts). It admits text without a tag, such as
 * the JSON of a page's description, React's own empty script, and the address of the one service worker.
 */
export const forbidHtml = (): unknown =>
  window.trustedTypes?.createPolicy("default", {
    createHTML(text) {
      if (text === emptyScript || !text.includes("<")) return text;
      throw new TypeError("Text must not become HTML.");
    },
    createScriptURL(url) {
      if (url === pushWorkerPath) return url;
      throw new TypeError("Text must not become a script's address.");
    },
  });
