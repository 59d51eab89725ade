export const mission =
  "A degree abroad is a life decision made across five time zones, in a language that isn't your own, against a deadline. We think nobody should have to make it alone.";

export const story: readonly string[] = [
  "Wayfare is a consultancy for students who want to study abroad. We help you all the way: choosing a university and a programme, applying, finding scholarships, and getting the visa.",
  "Every student has one agent, someone we know and have approved ourselves. You see what your agent sees: each application on its timeline, each document with your agent's comments, and what comes next.",
  "We say what we know, and we say when we don't. An honest no in March is worth more than a polite maybe in July.",
];

export const principles = [
  {
    title: "One person",
    text: "You have one agent, with a name and a number, from your very first question.",
  },
  { title: "In plain sight", text: "Nothing happens to your application that you can't see." },
  { title: "Yours", text: "Only you, your agent and our administrators can open your documents." },
] as const;
