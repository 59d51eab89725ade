/** Where the list of applications opens: at its top, at the form for a new one, or at one of them. */
export type ApplicationsAt = "list" | "form" | { applicationId: string };
