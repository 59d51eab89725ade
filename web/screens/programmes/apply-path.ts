/** The address of the form for an application to a programme. */
export const applyPath = (slug: string, intakeId: string | null): string =>
  `/application?${new URLSearchParams({ programme: slug, ...(intakeId && { intake: intakeId }) }).toString()}`;
