/** Reports for admins, each with its own table and file. */
export const reportLabels = {
  months: "Enrolments by month",
  agents: "Enrolments by agent",
  universities: "Enrolments by university",
  stays: "How long each state lasts",
} as const;
export type Report = keyof typeof reportLabels;

/** First and last year of reports. */
export const reportYears = { first: 2000, last: 2099 } as const;

/** Most rows of a report on the screen; its file has all of them. */
export const reportRows = 50;
