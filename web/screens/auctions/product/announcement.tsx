import { useEffect, useRef, useState } from "react";

/** Milliseconds between two announcements, so that of a burst of bids only the latest price is announced. */
const pause = 1_000;

/** Announces changes of a text politely to screen readers, but not the initial text. */
export function Announcement({ text }: { text: string }) {
  const [announced, setAnnounced] = useState("");
  const latest = useRef(text);
  const nextAt = useRef(0);
  useEffect(() => {
    if (text === latest.current) return;
    const wait = Math.max(0, nextAt.current - performance.now());
    const timer = setTimeout(() => {
      latest.current = text;
      nextAt.current = performance.now() + pause;
      setAnnounced(text);
    }, wait);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <output aria-live="polite" className="unseen">
      {announced}
    </output>
  );
}
