/** The words of the Contact page. */
export const contactLead =
  "Ask us anything about studying abroad, about your account or about an auction. We read every message.";

/** What to expect once a message is sent. */
export const contactAnswer = "as a rule within two working days";

export const contactHints: readonly string[] = [
  "Already a student? Your agent’s email and phone number stand on your dashboard.",
  "Something about an item that you bid on? Tell us its name.",
  "About your personal data? Say what we should look up, correct or delete.",
];
