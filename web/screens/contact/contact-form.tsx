import { contactLimits, contactProblem } from "#domain/contact.ts";
import { rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Form } from "../../ui/form/form.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { TextAreaField } from "../../ui/form/text-area-field.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import classes from "./contact.module.css";

/** `onSent` gets the address to which an answer will go. */
export function ContactForm({ onSent }: { onSent: (email: string) => void }) {
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

/** A field that nobody sees: programs that fill in every field betray themselves. */
const Trap = () => (
  <div className={classes.trap} aria-hidden="true">
    <label>
      Leave this empty
      <input name="website" type="text" tabIndex={-1} autoComplete="off" />
    </label>
  </div>
);
