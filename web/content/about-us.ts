/** The words of About Us. */
export const mission =
  "A degree abroad is a life’s decision made across five time zones, in a language that is not your own, against a deadline. We think nobody should have to make it alone.";

export const story: readonly string[] = [
  "Wayfare is a consultancy for students who want to study abroad. We help with the whole way: choosing a university and a programme, applying, finding scholarships, and getting the visa.",
  "Every student is guided by one agent whom we know and have approved ourselves. You see what your agent sees: each application on its timeline, each document with what was said about it, and what comes next.",
  "We say what we know, and we say when we don’t. An honest no in March is worth more than a polite maybe in July.",
];

export const principles = [
  { title: "One person", text: "You have one agent, with a name and a number, from the first question on." },
  { title: "In plain sight", text: "Nothing happens to your application that you can’t see." },
  { title: "Yours", text: "Your documents are open to those who guide you and to nobody else." },
] as const;
