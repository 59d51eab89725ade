import { useEffect, useEffectEvent, useState } from "react";

/**
 * Files that are dropped anywhere on the page: beside an area they would replace the page. Says whether something
 * is held over it.
 */
export function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const drop = useEffectEvent(onFiles);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const listen = (name: "dragover" | "dragleave" | "drop", handle: (event: DragEvent) => void) =>
      window.addEventListener(name, handle, { signal });
    listen("dragover", (event) => {
      event.preventDefault();
      setOver(true);
    });
    // Left the page, and not just one element of it for another.
    listen("dragleave", (event) => event.relatedTarget === null && setOver(false));
    listen("drop", (event) => {
      event.preventDefault();
      setOver(false);
      drop([...(event.dataTransfer?.files ?? [])]);
    });
    return () => listening.abort();
  }, []);
  return isOver;
}
