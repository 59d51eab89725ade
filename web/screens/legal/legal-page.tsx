import { Anchor, Title } from "@mantine/core";
import { Link } from "react-router";
import type { LegalText } from "../../content/legal.ts";
import { siteConfiguration } from "../../lib/configuration.ts";
import { Page } from "../../ui/page.tsx";
import classes from "./legal-page.module.css";

const idOf = (title: string) => title.toLowerCase().replaceAll(/[^a-z]+/g, "-");

/** Privacy and Terms: a table of contents, the chapters, and whom to ask. */
export function LegalPage({ title, text }: { title: string; text: LegalText }) {
  return (
    <Page title={title} lead={text.lead}>
      <p className={classes.updated}>Last changed on {text.updated}</p>
      <div className={classes.columns}>
        <nav aria-label="Chapters" className={classes.contents}>
          <ol>
            {text.chapters.map((chapter) => (
              <li key={chapter.title}>
                <a href={`#${idOf(chapter.title)}`}>{chapter.title}</a>
              </li>
            ))}
            <li>
              <a href="#whom-to-ask">Whom to ask</a>
            </li>
          </ol>
        </nav>
        <div className={classes.text}>
          {text.chapters.map((chapter) => (
            <section key={chapter.title} aria-labelledby={idOf(chapter.title)}>
              <Title order={2} id={idOf(chapter.title)} className={classes.title}>
                {chapter.title}
              </Title>
              {chapter.paragraphs.map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
              {chapter.list && (
                <ul>
                  {chapter.list.map((entry) => (
                    <li key={entry}>{entry}</li>
                  ))}
                </ul>
              )}
            </section>
          ))}
          <WhomToAsk />
        </div>
      </div>
    </Page>
  );
}

function WhomToAsk() {
  const { contactEmail } = siteConfiguration();
  return (
    <section aria-labelledby="whom-to-ask">
      <Title order={2} id="whom-to-ask" className={classes.title}>
        Whom to ask
      </Title>
      <p>
        Write to <Anchor href={`mailto:${contactEmail}`}>{contactEmail}</Anchor>, or use the{" "}
        <Anchor component={Link} to="/contact">
          contact form
        </Anchor>
        . We answer questions about this page and about your data.
      </p>
    </section>
  );
}
