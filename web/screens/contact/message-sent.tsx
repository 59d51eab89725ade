import { useEffect, useRef } from "react";
import { contactAnswer } from "../../content/contact.ts";
import { Button } from "../../ui/button.tsx";

/** What takes the form's place once the message is on its way; the focus goes there. */
export function MessageSent({ email, onAgain }: { email: string; onAgain: () => void }) {
  const headline = useRef<HTMLHeadingElement>(null);
  useEffect(() => headline.current?.focus(), []);
  return (
    <>
      <h2 ref={headline} tabIndex={-1}>
        Thank you, your message is on its way
      </h2>
      <p>
        We’ll reply to <strong>{email}</strong>, {contactAnswer}. Check your spam folder if you don’t hear
        from us.
      </p>
      <Button variant="default" size="md" onClick={onAgain}>
        Write another message
      </Button>
    </>
  );
}
