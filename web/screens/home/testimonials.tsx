import { testimonials } from "../../content/testimonials.ts";
import { Portrait } from "../../ui/portrait.tsx";
import { Section } from "../../ui/section.tsx";
import classes from "./testimonials.module.css";

export function Testimonials() {
  return (
    <Section title="What students say">
      <ul className={classes.list}>
        {testimonials.map(({ name, about, photo, words }) => (
          <li key={name}>
            <figure className={classes.card}>
              <blockquote className={classes.words}>{words}</blockquote>
              <figcaption className={classes.from}>
                <Portrait photo={photo} size={48} />
                <span>
                  <span className={classes.name}>{name}</span>
                  <span className={classes.about}>{about}</span>
                </span>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  );
}
