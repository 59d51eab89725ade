/** What a waiting agent can expect. */
export const pendingSteps = [
  "We'll check your agency and the details of your application.",
  "You'll get an email with our decision.",
  "Once you're approved, you'll be taken to your agent dashboard automatically.",
] as const;
