import { useEffect, useRef, useState } from "react";
import { contactLimits, contactProblem } from "#domain/contact.ts";
import { contactAnswer, contactHints, contactLead } from "../../content/contact.ts";
import { configuration } from "../../lib/configuration.ts";
import { publicMeta } from "../../lib/page-meta.ts";
import { rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { TextAreaField, TextField } from "../../ui/form/fields.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { Page } from "../../ui/page.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import classes from "./contact.module.css";

const title = "Contact";

export const meta = () =>
  publicMeta("/contact", title, "Write to Wayfare: questions about studying abroad, accounts and auctions.");

/** The contact form, which mails the consultancy. */
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

/** `onSent` receives the address that an answer will be sent to. */
function ContactForm({ onSent }: { onSent: (email: string) => void }) {
  const viewer = useViewer();
  return (
    <Form
      errorTitle="Contact Error"
      draftName="contact"
      fields={["name", "email", "message", "website"]}
      check={contactProblem}
      send={async (values) => {
        await rpc.contact.send(values);
        onSent(values.email.trim());
      }}
    >
      <TextField
        name="name"
        label="Name"
        autoComplete="name"
        maxLength={contactLimits.name}
        defaultValue={viewer ? `${viewer.firstName} ${viewer.lastName}` : ""}
      />
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="email"
        maxLength={contactLimits.email}
        defaultValue={viewer?.email ?? ""}
      />
      <TextAreaField name="message" label="Message" rows={7} maxLength={contactLimits.message} />
      <Trap />
      <p className={classes.note}>
        We only use your message to answer you. See <TextLink to="/privacy">Privacy</TextLink>.
      </p>
      <SubmitButton busyText="Sending...">Send message</SubmitButton>
    </Form>
  );
}

/** A field that people can't see, which detects bots that fill in every field. */
const Trap = () => (
  <div className={classes.trap} aria-hidden="true">
    <label>
      Leave this empty
      <input name="website" type="text" tabIndex={-1} autoComplete="off" />
    </label>
  </div>
);

/** Replaces the form once the message is sent, and takes the focus. */
function MessageSent({ email, onAgain }: { email: string; onAgain: () => void }) {
  const headline = useRef<HTMLHeadingElement>(null);
  useEffect(() => headline.current?.focus(), []);
  return (
    <>
      <h2 ref={headline} tabIndex={-1}>
        Thank you, your message is on its way
      </h2>
      <p>
        We'll reply to <strong>{email}</strong>, {contactAnswer}. Check your spam folder if you don't hear
        from us.
      </p>
      <Button variant="default" size="md" onClick={onAgain}>
        Write another message
      </Button>
    </>
  );
}
