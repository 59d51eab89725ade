import { useState } from "react";
import type { LinkMode } from "#contract/documents.ts";
import { type FriendlyError, friendlyError } from "#domain/friendly-error.ts";
import { rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";

function follow(url: string, newTab: boolean) {
  const link = document.createElement("a");
  link.href = url;
  if (newTab) link.target = "_blank";
  link.rel = "noreferrer";
  link.click();
}

type LinkTo = (id: string, mode: LinkMode) => Promise<{ url: string }>;

/** Opens a document in a new tab, or downloads it, through a link that is requested each time. */
export const useOpenDocument = () =>
  useOpenFile((documentId, mode) => rpc.documents.link({ documentId, mode }));

/** Opens a file in a new tab, or downloads it, through the link that `linkTo` requests each time. */
export function useOpenFile(linkTo: LinkTo) {
  const [failure, setFailure] = useState<FriendlyError | null>(null);
  const viewer = useViewer();

  async function open(id: string, mode: LinkMode) {
    // Opens the tab before the link has arrived: later, a browser would block it as a pop-up. An admin may first be
    // asked for a reason on this page, which a new tab would hide.
    const opensEarly = mode === "view" && viewer?.role !== "admin";
    const tab = opensEarly ? window.open("", "_blank") : null;
    if (tab) tab.opener = null;
    try {
      const { url } = await linkTo(id, mode);
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
