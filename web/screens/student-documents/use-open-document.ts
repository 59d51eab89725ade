import { useState } from "react";
import type { LinkMode } from "#contract/documents.ts";
import { type FriendlyError, friendlyError } from "#domain/friendly-error.ts";
import { rpc } from "../../lib/rpc.ts";

function follow(url: string, newTab: boolean) {
  const link = document.createElement("a");
  link.href = url;
  if (newTab) link.target = "_blank";
  link.rel = "noreferrer";
  link.click();
}

/** Opens a document in a new tab, or downloads it, through a link that is requested each time. */
export function useOpenDocument() {
  const [failure, setFailure] = useState<FriendlyError | null>(null);

  async function open(documentId: string, mode: LinkMode) {
    // The tab opens before the link is there: later, a browser would block it as a pop-up.
    const tab = mode === "view" ? window.open("", "_blank") : null;
    if (tab) tab.opener = null;
    try {
      const { url } = await rpc.documents.link({ documentId, mode });
      if (tab) tab.location.replace(url);
      else follow(url, mode === "view");
    } catch (error) {
      tab?.close();
      setFailure(friendlyError(error));
    }
  }

  return {
    open: (id: string, mode: LinkMode) => void open(id, mode),
    failure,
    clearFailure: () => setFailure(null),
  };
}
