/** The words of the home page. */
export const headline = "Your degree abroad, one clear step at a time.";
export const opening =
  "Wayfare brings you together with agents who know the universities, the paperwork and the deadlines, in the UK, Canada, the USA, Ireland and the United Arab Emirates.";

export const features = [
  {
    title: "University Matching",
    text: "Programmes that fit your grades, your budget and the life you want.",
  },
  { title: "Expert Agents", text: "One person who knows your file and answers your questions." },
  { title: "Visa Support", text: "Every document in order before the appointment." },
] as const;
