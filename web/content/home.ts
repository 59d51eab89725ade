/** The words of the home page. */
export const headline = "Your degree abroad, one clear step at a time.";
export const opening =
  "Wayfare connects you with agents who know the universities, the paperwork and the deadlines, in the UK, Canada, the USA, Ireland and the United Arab Emirates.";
