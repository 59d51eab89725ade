import classes from "./home.module.css";
import compass from "./pictures/compass.svg?url&no-inline";
import journey from "./pictures/journey.svg?raw";
import passport from "./pictures/passport.svg?url&no-inline";
import universities from "./pictures/universities.svg?url&no-inline";

const pictures = {
  journey: { src: `data:image/svg+xml,${encodeURIComponent(journey)}`, width: 660, height: 560 },
  universities: { src: universities, width: 400, height: 168 },
  compass: { src: compass, width: 400, height: 168 },
  passport: { src: passport, width: 400, height: 168 },
};

/**
 * Drawn for the home page: the way from city to city, and one for each feature. Files rather than elements, which
 * every visitor's browser would have to run; they follow the colour scheme by themselves. The journey, which is seen
 * at once, comes with the page and not after it.
 */
export const Picture = ({ name }: { name: keyof typeof pictures }) => (
  <img
    {...pictures[name]}
    alt=""
    loading={name === "journey" ? "eager" : "lazy"}
    className={classes.picture}
  />
);
