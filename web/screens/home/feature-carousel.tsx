import { IconChevronLeft, IconChevronRight, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useId, useRef, useState, useSyncExternalStore } from "react";
import { type Feature, features } from "../../content/features.ts";
import { IconButton } from "../../ui/button.tsx";
import classes from "./feature-carousel.module.css";
import { Picture } from "./picture.tsx";

const count = features.length;

/** A slide is only announced if the viewer moved to it, and not while the carousel moves automatically. */
type Position = { at: number; by: "itself" | "viewer" };

/** Returns the distance in pixels from one slide to the next. */
const stepOf = ({ scrollWidth, clientWidth }: HTMLElement) => (scrollWidth - clientWidth) / (count - 1);

/**
 * The features side by side, one in the middle; after the last one it returns to the first. It waits while a pointer or
 * the focus is on it, stops permanently with its pause button, and starts paused for people who ask for reduced motion.
 */
export function FeatureCarousel() {
  const [position, setPosition] = useState<Position>({ at: 0, by: "itself" });
  const slides = useRef<HTMLUListElement>(null);
  const headline = useId();
  function go(step: 1 | -1, by: Position["by"] = "viewer") {
    const at = (position.at + step + count) % count;
    setPosition({ at, by });
    if (slides.current) slides.current.scrollLeft = at * stepOf(slides.current);
  }
  const { playing, toggle, hold } = useAutoplay(() => go(1, "itself"));
  return (
    <section
      aria-labelledby={headline}
      aria-roledescription="carousel"
      className={classes.carousel}
      {...hold}
    >
      <div className={classes.head}>
        <h2 id={headline} className={classes.headline}>
          What Wayfare does
        </h2>
        <div className={classes.controls}>
          <IconButton label={playing ? "Pause the carousel" : "Play the carousel"} onClick={toggle}>
            {playing ? <IconPlayerPause size={20} aria-hidden /> : <IconPlayerPlay size={20} aria-hidden />}
          </IconButton>
          <IconButton label="Previous feature" onClick={() => go(-1)}>
            <IconChevronLeft size={22} aria-hidden />
          </IconButton>
          <IconButton label="Next feature" onClick={() => go(1)}>
            <IconChevronRight size={22} aria-hidden />
          </IconButton>
        </div>
      </div>
      <ul
        ref={slides}
        aria-label="Features"
        className={classes.slides}
        // The viewer may have swiped.
        onScrollEnd={({ currentTarget }) => {
          const at = Math.round(currentTarget.scrollLeft / stepOf(currentTarget));
          setPosition((last) => (last.at === at ? last : { at, by: "viewer" }));
        }}
      >
        {features.map((feature, at) => (
          <Slide key={feature.title} feature={feature} isCurrent={at === position.at} />
        ))}
        <Slide feature={features[count - 1]} copyAt="start" />
        <Slide feature={features[0]} copyAt="end" />
      </ul>
      <output className="unseen">{position.by === "viewer" && features[position.at]?.title}</output>
    </section>
  );
}

type SlideProps = { feature: Feature | undefined; isCurrent?: boolean; copyAt?: "start" | "end" };

/** One feature; on a wide page a copy fills the space beside the first or the last one. */
const Slide = ({ feature, isCurrent = false, copyAt }: SlideProps) =>
  feature && (
    <li
      aria-current={isCurrent || undefined}
      aria-hidden={copyAt && true}
      className={classes.slide}
      data-copy={copyAt}
    >
      <Picture name={feature.picture} />
      <h3 className={classes.title}>{feature.title}</h3>
      <p className={classes.text}>{feature.text}</p>
    </li>
  );

/** Milliseconds between two slides. */
const slideInterval = 5000;

const reducedMotion = "(prefers-reduced-motion: reduce)";
const asksForReducedMotion = () => matchMedia(reducedMotion).matches;
function onChange(listener: () => void) {
  const query = matchMedia(reducedMotion);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/**
 * Calls `next` repeatedly while it plays and isn't held; `hold` has the props for the element that a pointer or the
 * focus holds. Starts paused for people who ask for reduced motion.
 */
function useAutoplay(next: () => void) {
  const isStill = useSyncExternalStore(onChange, asksForReducedMotion, () => true);
  /** Null: it follows the device's setting. */
  const [choice, setChoice] = useState<boolean | null>(null);
  const [held, setHeld] = useState({ pointer: false, focus: false });
  const onTick = useEffectEvent(next);
  const playing = choice ?? !isStill;
  const moves = playing && !held.pointer && !held.focus;
  useEffect(() => {
    if (!moves) return;
    const timer = setInterval(() => onTick(), slideInterval);
    return () => clearInterval(timer);
  }, [moves]);

  const holdBy = (what: Partial<typeof held>) => setHeld((last) => ({ ...last, ...what }));
  return {
    playing,
    toggle: () => setChoice(!playing),
    hold: {
      onPointerEnter: () => holdBy({ pointer: true }),
      onPointerLeave: () => holdBy({ pointer: false }),
      onFocus: () => holdBy({ focus: true }),
      onBlur: () => holdBy({ focus: false }),
    },
  };
}
