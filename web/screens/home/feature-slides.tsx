import type { CSSProperties } from "react";
import { features } from "../../content/features.ts";
import classes from "./feature-carousel.module.css";
import { Picture } from "./picture.tsx";

const count = features.length;

/** Where a slide stands when number `at` is in the middle: 0 there, -1 on its left, 1 on its right and so on. */
function placeOf(slide: number, at: number): number {
  const ahead = (slide - at + count) % count;
  return ahead > count / 2 ? ahead - count : ahead;
}
const placed = (place: number): CSSProperties & { "--place": number } => ({ "--place": place });

/** All slides lie in one cell of a grid, as high as the highest: turning them moves nothing else. */
export function FeatureSlides({ at, way }: { at: number; way: "forward" | "back" }) {
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
