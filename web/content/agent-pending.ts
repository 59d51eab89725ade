/** The steps that a waiting agent can expect. */
export const pendingSteps = [
  "We'll check your agency and the details of your application.",
  "You'll get an email with our decision.",
  "Once you're approved, you'll be taken to your agent dashboard automatically.",
] as const;

/** This step comes before the others until the address is verified. */
export const verifyingStep =
  "Verify your email address: open the link we emailed you. We can't approve you until then.";
