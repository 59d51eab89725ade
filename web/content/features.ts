/** A slide of the home page's carousel; `picture` names one of the drawings made for it. */
export type Feature = { title: string; text: string; picture: "universities" | "compass" | "passport" };

export const features: readonly Feature[] = [
  {
    title: "University Matching",
    text: "Programmes that fit your grades, your budget and the life you want, on one shortlist that you and your agent share.",
    picture: "universities",
  },
  {
    title: "Expert Agents",
    text: "One person who knows your file, answers your questions and moves every application on with you.",
    picture: "compass",
  },
  {
    title: "Visa Support",
    text: "Every document in order before the appointment, checked by someone who has seen a thousand of them.",
    picture: "passport",
  },
];
