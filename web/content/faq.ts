export type Question = { question: string; answer: string };

/** The three questions of the home page. */
export const faq: readonly Question[] = [
  {
    question: "How do I get started?",
    answer:
      "Sign up as a student, fill in your profile and upload the six documents as you get them. Your dashboard shows what's done and what comes next. You can start an application at any time, and once an agent is assigned to you, their name and number appear there too.",
  },
  {
    question: "Which documents will I need?",
    answer:
      "A transcript, a CV, a personal statement, two recommendation letters and your passport, each as a PDF, JPEG or PNG of up to 20 MB. Your agent reviews every one and tells you if anything needs to change.",
  },
  {
    question: "Who can see my details?",
    answer:
      "Only you, your own agent and the administrators can see your date of birth, address, passport details and files, and we record each time they open them. Other approved agents can see your name, contact details and country, your applications and your shortlist.",
  },
];
