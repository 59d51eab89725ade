import { IconChevronLeft, IconChevronRight, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import {
  type CSSProperties,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { features } from "../../content/features.ts";
import { IconButton } from "../../ui/button.tsx";
import classes from "./feature-carousel.module.css";
import { Picture } from "./picture.tsx";

const count = features.length;

type Way = "forward" | "back";
/** A slide is only announced if the viewer turned to it: nobody wants to hear what moves by itself. */
type Turn = { at: number; way: Way; by: "itself" | "viewer" };

/**
 * The features in turn, one in the middle. It waits while a pointer or the focus is on it, stops for good with its
 * pause button, and starts paused for people who ask for reduced motion.
 */
export function FeatureCarousel() {
  const [turn, setTurn] = useState<Turn>({ at: 0, way: "forward", by: "itself" });
  const headline = useId();
  const go = (way: Way, by: Turn["by"] = "viewer") => {
    const step = way === "forward" ? 1 : -1;
    setTurn(({ at }) => ({ at: (at + step + count) % count, way, by }));
  };
  const { playing, toggle, hold } = useAutoplay(() => go("forward", "itself"));
  const swipe = useSwipe(go);
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
          <IconButton label="Previous feature" onClick={() => go("back")}>
            <IconChevronLeft size={22} aria-hidden />
          </IconButton>
          <IconButton label="Next feature" onClick={() => go("forward")}>
            <IconChevronRight size={22} aria-hidden />
          </IconButton>
        </div>
      </div>
      <div className={classes.window} {...swipe}>
        <FeatureSlides at={turn.at} way={turn.way} />
      </div>
      <output className="unseen">{turn.by === "viewer" && features[turn.at]?.title}</output>
    </section>
  );
}

/** Returns a slide's position when number `at` is in the middle: 0 there, -1 on its left, 1 on its right and so on. */
function placeOf(slide: number, at: number): number {
  const ahead = (slide - at + count) % count;
  return ahead > count / 2 ? ahead - count : ahead;
}
const placed = (place: number): CSSProperties & { "--place": number } => ({ "--place": place });

/** Stacks all slides in one grid cell, as high as the highest: turning them moves nothing else. */
function FeatureSlides({ at, way }: { at: number; way: Way }) {
  return (
    <ul aria-label="Features" className={classes.slides} data-way={way}>
      {features.map(({ title, text, picture }, slide) => {
        const place = placeOf(slide, at);
        return (
          <li
            key={title}
            aria-current={place === 0 || undefined}
            className={classes.slide}
            data-place={place}
            style={placed(place)}
          >
            <Picture name={picture} />
            <h3 className={classes.title}>{title}</h3>
            <p className={classes.text}>{text}</p>
          </li>
        );
      })}
    </ul>
  );
}

/** Milliseconds between two slides. */
const stays = 5000;

const reducedMotion = "(prefers-reduced-motion: reduce)";
const asksForReducedMotion = () => matchMedia(reducedMotion).matches;
function onChange(listener: () => void) {
  const query = matchMedia(reducedMotion);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/**
 * Calls `next` repeatedly while it plays and nobody holds it; `hold` goes to the element that a pointer or the focus
 * holds. For people who ask for reduced motion it begins paused.
 */
function useAutoplay(next: () => void) {
  const isStill = useSyncExternalStore(onChange, asksForReducedMotion, () => true);
  /** Null: it follows the device's setting. */
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [held, setHeld] = useState({ pointer: false, focus: false });
  const onTick = useEffectEvent(next);
  const playing = chosen ?? !isStill;
  const moves = playing && !held.pointer && !held.focus;
  useEffect(() => {
    if (!moves) return;
    const timer = setInterval(() => onTick(), stays);
    return () => clearInterval(timer);
  }, [moves]);

  const holdBy = (what: Partial<typeof held>) => setHeld((last) => ({ ...last, ...what }));
  return {
    playing,
    toggle: () => setChosen(!playing),
    hold: {
      onPointerEnter: () => holdBy({ pointer: true }),
      onPointerLeave: () => holdBy({ pointer: false }),
      onFocus: () => holdBy({ focus: true }),
      onBlur: () => holdBy({ focus: false }),
    },
  };
}

/** Pixels that a finger must move for a swipe; less is a tap. */
const least = 40;

/** Returns handlers that report in which direction an element was swiped: to the left is forward. */
function useSwipe(onSwipe: (way: Way) => void) {
  const from = useRef<number | null>(null);
  return {
    onPointerDown: ({ clientX }: PointerEvent) => {
      from.current = clientX;
    },
    onPointerCancel: () => {
      from.current = null;
    },
    onPointerUp: ({ clientX }: PointerEvent) => {
      const moved = from.current === null ? 0 : clientX - from.current;
      from.current = null;
      if (moved <= -least) onSwipe("forward");
      if (moved >= least) onSwipe("back");
    },
  };
}
