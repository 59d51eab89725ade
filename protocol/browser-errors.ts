/** The address to which a browser reports its errors. */
export const browserErrorsPath = "/browser-errors";

/** Most errors that one page load reports, and most places of one error. */
export const mostReported = { ofPage: 5, places: 8 };
