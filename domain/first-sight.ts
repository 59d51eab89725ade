/** Marks the element of a built page that the server fills with what the page shows first. */
export const firstSightMark = "data-first-sight";
