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
 * Drawings for the home page: the journey from city to city, and one for each feature. They are files, because elements
 * would add script that every visitor's browser has to run; they follow the colour scheme automatically. The journey is
 * visible immediately, so it is inlined in the page.
 */
export const Picture = ({ name }: { name: keyof typeof pictures }) => (
  <img
    {...pictures[name]}
    alt=""
    loading={name === "journey" ? "eager" : "lazy"}
    className={classes.picture}
  />
);
