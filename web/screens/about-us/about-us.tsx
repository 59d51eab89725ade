import { mission, principles, story } from "../../content/about-us.ts";
import { countries } from "../../content/countries.ts";
import { publicMeta } from "../../lib/page-meta.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Flag } from "../../ui/flag.tsx";
import { Page } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import classes from "./about-us.module.css";

const title = "About Us";

export const meta = () =>
  publicMeta("/about-us", title, "Who Wayfare is for, in which countries, and why we do what we do.");

/** The mission and the countries served. */
export default function AboutUs() {
  return (
    <>
      <Page title={title}>
        <p className={classes.mission}>{mission}</p>
        <div className={classes.story}>
          {story.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </Page>
      <div className={classes.band}>
        <Section title="Countries we serve">
          <ul className={classes.countries}>
            {countries.map(({ name, code, line }) => (
              <li key={code} className={classes.country}>
                <Flag code={code} />
                <div>
                  <h3 className={classes.name}>{name}</h3>
                  <p className={classes.text}>{line}</p>
                </div>
              </li>
            ))}
          </ul>
        </Section>
      </div>
      <Section title="What you can count on">
        <ul className={classes.principles}>
          {principles.map((principle) => (
            <li key={principle.title} className={classes.principle}>
              <h3 className={classes.name}>{principle.title}</h3>
              <p className={classes.text}>{principle.text}</p>
            </li>
          ))}
        </ul>
        <div className={classes.actions}>
          <LinkButton to="/meet-the-team" primary>
            Meet the team
          </LinkButton>
          <LinkButton to="/contact">Write to us</LinkButton>
        </div>
      </Section>
    </>
  );
}
