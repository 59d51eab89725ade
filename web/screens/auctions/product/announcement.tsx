import { useEffect, useRef, useState } from "react";

/** Milliseconds between two announcements: a burst of bids is told by the latest price. */
const pause = 1_000;

/** Tells screen readers politely of a text's changes; not of the text that the page began with. */
export function Announcement({ text }: { text: string }) {
  const [told, setTold] = useState("");
  const heard = useRef(text);
  const tellFrom = useRef(0);
  useEffect(() => {
    if (text === heard.current) return;
    const wait = Math.max(0, tellFrom.current - performance.now());
    const timer = setTimeout(() => {
      heard.current = text;
      tellFrom.current = performance.now() + pause;
      setTold(text);
    }, wait);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <output aria-live="polite" className="unseen">
      {told}
    </output>
  );
}
