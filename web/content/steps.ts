/** The steps of "How it works" on the Explore page. */
export const steps = [
  { title: "Register", text: "Create your student account. It takes two minutes and costs nothing." },
  {
    title: "Search",
    text: "Find programmes by course and country, and keep the good ones on your shortlist.",
  },
  { title: "Apply", text: "Send your application from your dashboard. Your agent checks it with you." },
  {
    title: "Funding",
    text: "Go through scholarships, loans and the cost of a year with someone who knows them well.",
  },
  {
    title: "Payments",
    text: "Pay your deposit and fees to the university, on time and with the right reference.",
  },
  { title: "Visa", text: "Gather your documents, book your appointment, and go." },
] as const;
export type Step = (typeof steps)[number]["title"];
