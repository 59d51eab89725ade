import { Button, Title } from "@mantine/core";
import { Link } from "react-router";
import { headline, opening } from "../../content/home.ts";
import { publicMeta } from "../../lib/page-meta.ts";
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

/** Spec 1, design "Home". */
export default function Home() {
  return (
    <>
      <section className={classes.hero}>
        <div>
          <Title order={1} className={classes.headline}>
            {headline}
          </Title>
          <p className={classes.opening}>{opening}</p>
          <div className={classes.actions}>
            <Button component={Link} to="/signup" size="lg">
              Get started
            </Button>
            <Button component={Link} to="/explore" size="lg" variant="default">
              Explore programmes
            </Button>
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
