import { IconChevronDown } from "@tabler/icons-react";
import { faq } from "../../content/faq.ts";
import { Section } from "../../ui/section.tsx";
import classes from "./questions.module.css";

/** Three questions that open: native elements, so they work without scripts. */
export function Questions() {
  return (
    <Section title="Frequently asked questions">
      <div className={classes.list}>
        {faq.map(({ question, answer }) => (
          <details key={question} className={classes.item}>
            <summary className={classes.question}>
              {question}
              <IconChevronDown size={22} stroke={1.6} aria-hidden className={classes.arrow} />
            </summary>
            <p className={classes.answer}>{answer}</p>
          </details>
        ))}
      </div>
    </Section>
  );
}
