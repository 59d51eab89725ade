export type Question = { question: string; answer: string };

/** The three questions of the home page. */
export const faq: readonly Question[] = [
  {
    question: "How do I begin?",
    answer:
      "Sign up as a student, fill in your profile and upload the six documents as you get them. Your dashboard shows what is done and what comes next. You can start an application at any time, and once an agent is assigned to you, their name and number stand there too.",
  },
  {
    question: "Which documents will I need?",
    answer:
      "A transcript, a CV, a personal statement, two recommendation letters and your passport, each as a PDF, JPEG or PNG of up to 20 MB. Your agent looks at every one, and tells you what to change when something is missing.",
  },
  {
    question: "Who can see my details?",
    answer:
      "Your date of birth, address, passport details and files are open to you, to the agent assigned to you and to the administrators, and each time they look is recorded. The other approved agents see your name, contact details and country, your applications and your shortlist.",
  },
];
