import type { LegalText } from "../../content/legal.ts";
import { configuration } from "../../lib/configuration.ts";
import { Page } from "../../ui/page.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import classes from "./legal-page.module.css";

const idOf = (title: string) => title.toLowerCase().replaceAll(/[^a-z]+/g, "-");

/** Privacy and Terms: a table of contents, the chapters, and who to ask. */
export function LegalPage({ title, text }: { title: string; text: LegalText }) {
  return (
    <Page title={title} lead={text.lead}>
      <p className={classes.updated}>Last updated on {text.updated}</p>
      <div className={classes.columns}>
        <nav aria-label="On this page" className={classes.contents}>
          <ol>
            {text.chapters.map((chapter) => (
              <li key={chapter.title}>
                <a href={`#${idOf(chapter.title)}`}>{chapter.title}</a>
              </li>
            ))}
            <li>
              <a href="#who-to-ask">Who to ask</a>
            </li>
          </ol>
        </nav>
        <div className={classes.text}>
          {text.chapters.map((chapter) => (
            <section key={chapter.title} aria-labelledby={idOf(chapter.title)}>
              <h2 id={idOf(chapter.title)} className={classes.title}>
                {chapter.title}
              </h2>
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
          <ContactSection />
        </div>
      </div>
    </Page>
  );
}

function ContactSection() {
  const { contactEmail } = configuration();
  return (
    <section aria-labelledby="who-to-ask">
      <h2 id="who-to-ask" className={classes.title}>
        Who to ask
      </h2>
      <p>
        Write to <TextLink to={`mailto:${contactEmail}`}>{contactEmail}</TextLink>, or use the{" "}
        <TextLink to="/contact">contact form</TextLink>. We answer questions about this page and about your
        data.
      </p>
    </section>
  );
}
