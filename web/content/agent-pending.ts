/** What a waiting agent can expect. */
export const pendingSteps = [
  "We check your agency and the details of your application.",
  "You get an email with our decision.",
  "Once approved, this page moves on to your agent dashboard by itself.",
] as const;
