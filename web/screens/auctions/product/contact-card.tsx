import { TextLink } from "../../../ui/text-link.tsx";
import classes from "./panel.module.css";

type Contact = { name: string; email: string; phone: string };
type ContactCardProps = { title: string; contact: Contact };

/** How winner and seller reach each other. */
export function ContactCard({ title, contact: { name, email, phone } }: ContactCardProps) {
  return (
    <section className={classes.contact} aria-labelledby="contact">
      <h2 id="contact" className={classes.heading}>
        {title}
      </h2>
      <p className={classes.line}>{name}</p>
      <p className={classes.line}>
        <TextLink to={`mailto:${email}`}>{email}</TextLink>
      </p>
      {phone && (
        <p className={classes.line}>
          <TextLink to={`tel:${phone.replace(/[^\d+]/g, "")}`}>{phone}</TextLink>
        </p>
      )}
    </section>
  );
}
