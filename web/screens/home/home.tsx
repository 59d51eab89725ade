import { headline, opening } from "../../content/home.ts";
import { publicMeta } from "../../lib/page-meta.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Countries } from "./countries.tsx";
import { FeatureCarousel } from "./feature-carousel.tsx";
import classes from "./home.module.css";
import { Picture } from "./picture.tsx";
import { Questions } from "./questions.tsx";
import { StatsBand } from "./stats-band.tsx";
import { structuredData } from "./structured-data.ts";
import { Testimonials } from "./testimonials.tsx";

export const meta = () => [
  ...publicMeta("/", "Study abroad, well guided", opening),
  { "script:ld+json": structuredData() },
];

export default function Home() {
  return (
    <>
      <section className={classes.hero}>
        <div>
          <h1 className={classes.headline}>{headline}</h1>
          <p className={classes.opening}>{opening}</p>
          <div className={classes.actions}>
            <LinkButton primary to="/signup" size="lg">
              Get started
            </LinkButton>
            <LinkButton to="/explore" size="lg">
              Explore programmes
            </LinkButton>
          </div>
        </div>
        <Picture name="journey" />
      </section>
      <FeatureCarousel />
      <StatsBand />
      <Countries />
      <Testimonials />
      <Questions />
    </>
  );
}
