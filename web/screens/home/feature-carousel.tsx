import { IconChevronLeft, IconChevronRight, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useId, useState } from "react";
import { features } from "../../content/features.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import classes from "./feature-carousel.module.css";
import { FeatureSlides } from "./feature-slides.tsx";
import { useAutoplay } from "./use-autoplay.ts";
import { useSwipe } from "./use-swipe.ts";

/** What turned it last decides whether it is said aloud: nobody wants to hear what moves by itself. */
type Turn = { at: number; way: "forward" | "back"; by: "itself" | "viewer" };

const turned = ({ at }: Turn, way: Turn["way"], by: Turn["by"]): Turn => {
  const step = way === "forward" ? 1 : -1;
  return { at: (at + step + features.length) % features.length, way, by };
};

/**
 * The features in turn, one in the middle. It waits while a pointer or the
 * focus is on it, stops for good with its pause button, and starts still for people who ask for reduced motion.
 */
export function FeatureCarousel() {
  const [turn, setTurn] = useState<Turn>({ at: 0, way: "forward", by: "itself" });
  const headline = useId();
  const go = (way: Turn["way"]) => setTurn((last) => turned(last, way, "viewer"));
  const { playing, toggle, hold } = useAutoplay(() => setTurn((last) => turned(last, "forward", "itself")));
  const swipe = useSwipe({ left: () => go("forward"), right: () => go("back") });

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
