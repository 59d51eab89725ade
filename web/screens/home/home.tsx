import { Button, Title } from "@mantine/core";
import { Link } from "react-router";
import { features, headline, opening } from "../../content/home.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import classes from "./home.module.css";
import { Journey } from "./journey.tsx";

export const meta = () => pageMeta("Study abroad, well guided", opening);

/** Spec 1, design "Home": the first screen and the names of what Wayfare does. */
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
        <Journey />
      </section>
      <ul className={classes.features}>
        {features.map(({ title, text }) => (
          <li key={title} className={classes.feature}>
            <Title order={2} className={classes.featureTitle}>
              {title}
            </Title>
            <p className={classes.featureText}>{text}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
