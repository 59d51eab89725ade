export const contactLead =
  "Ask us anything about studying abroad, about your account or about an auction. We read every message.";

/** The time within which a message is answered. */
export const contactAnswer = "usually within two working days";

export const contactHints: readonly string[] = [
  "Already a student? Your agent's email and phone number are on your dashboard.",
  "A question about an item you bid on? Tell us its name.",
  "A request about your personal data? Tell us what to look up, correct or delete.",
];
