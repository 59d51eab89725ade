import { data } from "react-router";
import { pageMeta } from "../lib/page-meta.ts";
import { LinkButton } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import classes from "./not-found.module.css";

export const loader = () => data(null, { status: 404 });

export const meta = () => pageMeta("Page not found");

/** The page for unknown addresses, with links to go on. */
export default function NotFound() {
  return (
    <Page narrow>
      <svg viewBox="0 0 480 200" width={480} height={200} className={classes.picture} aria-hidden="true">
        <path
          d="M-10 168 C 90 128, 190 190, 290 156 S 430 140, 500 160 V 210 H -10 Z"
          className={classes.land}
        />
        <path d="M20 156 C 80 60, 150 60, 190 120 S 270 160, 300 96" className={classes.way} />
        <circle cx="20" cy="157" r="7" className={classes.stop} />
        <path
          d="M352 168 V 40 M352 52 H 424 L 440 66 L 424 80 H 352 M352 92 H 300 L 286 105 L 300 118 H 352"
          className={classes.sign}
        />
        <text x="392" y="72" className={classes.mark}>
          ?
        </text>
        <text x="322" y="111" className={classes.mark}>
          ?
        </text>
      </svg>
      <h1 className={classes.title}>Page not found</h1>
      <p className={classes.lead}>
        There's nothing at this address. It may have moved, or there may be a typo in the link.
      </p>
      <div className={classes.actions}>
        <LinkButton to="/" primary>
          Go to the home page
        </LinkButton>
        <LinkButton to="/explore">Explore programmes</LinkButton>
        <LinkButton to="/contact">Contact us</LinkButton>
      </div>
    </Page>
  );
}
