/** Where a browser reports what went wrong in it. */
export const browserErrorsPath = "/browser-errors";

/** Errors of one page load that are reported, and places of one error. */
export const mostReported = { ofPage: 5, places: 8 };
