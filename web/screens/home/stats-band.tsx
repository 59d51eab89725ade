import { type RefObject, useEffect, useRef, useState } from "react";
import { stats } from "../../content/stats.ts";
import classes from "./stats-band.module.css";

/** The figures count up over two seconds once they are visible. Without scripts they are simply shown. */
export function StatsBand() {
  const band = useRef<HTMLDListElement>(null);
  const share = useCountOnceSeen(band);
  return (
    <section aria-label="Wayfare in figures" className={classes.band}>
      <dl ref={band} className={classes.figures}>
        {stats.map(({ label, value, suffix }) => (
          <div key={label} className={classes.figure}>
            <dt className={classes.label}>{label}</dt>
            <dd className={classes.value}>
              {/* Screen readers get the figure, and not each number up to it. */}
              <span className="unseen">{`${value}${suffix}`}</span>
              <span aria-hidden="true">{`${Math.round(value * share)}${suffix}`}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Milliseconds from zero to the full figure. */
const duration = 2000;
const reducedMotion = "(prefers-reduced-motion: reduce)";
const easeOut = (share: number) => 1 - (1 - share) ** 3;

/** Calls `show` with 0 to 1 as time passes; returns a function that stops it. */
function countUp(show: (share: number) => void): () => void {
  const startedAt = performance.now();
  let frame = 0;
  const step = (now: number) => {
    const share = Math.min(Math.max(now - startedAt, 0) / duration, 1);
    show(easeOut(share));
    if (share < 1) frame = requestAnimationFrame(step);
  };
  frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}

/**
 * Returns the share of their full value that figures show: all of it in the HTML and for people who ask for reduced
 * motion, otherwise from 0 to 1 once the element is visible.
 */
function useCountOnceSeen(element: RefObject<Element | null>): number {
  const [share, setShare] = useState(1);
  useEffect(() => {
    if (!element.current || matchMedia(reducedMotion).matches) return;
    let stop = () => {};
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return setShare(0);
        observer.disconnect();
        stop = countUp(setShare);
      },
      { threshold: 0.25 },
    );
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      stop();
      setShare(1);
    };
  }, [element]);
  return share;
}
