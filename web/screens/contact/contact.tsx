import { useState } from "react";
import { contactHints, contactLead } from "../../content/contact.ts";
import { configuration } from "../../lib/configuration.ts";
import { publicMeta } from "../../lib/page-meta.ts";
import { Page } from "../../ui/page.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import classes from "./contact.module.css";
import { ContactForm } from "./contact-form.tsx";
import { MessageSent } from "./message-sent.tsx";

const title = "Contact";

export const meta = () =>
  publicMeta("/contact", title, "Write to Wayfare: questions about studying abroad, accounts and auctions.");

/** A form that mails the consultancy. */
export default function Contact() {
  const [sentFrom, setSentFrom] = useState<string | null>(null);
  const { contactEmail } = configuration();
  return (
    <Page title={title} lead={contactLead}>
      <div className={classes.columns}>
        <div className={classes.card}>
          {sentFrom === null ? (
            <ContactForm onSent={setSentFrom} />
          ) : (
            <MessageSent email={sentFrom} onAgain={() => setSentFrom(null)} />
          )}
        </div>
        <aside className={classes.aside} aria-label="Other ways">
          <p>
            By email: <TextLink to={`mailto:${contactEmail}`}>{contactEmail}</TextLink>
          </p>
          <ul>
            {contactHints.map((hint) => (
              <li key={hint}>{hint}</li>
            ))}
          </ul>
        </aside>
      </div>
    </Page>
  );
}
