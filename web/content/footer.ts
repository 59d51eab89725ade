/** The consultancy's pages elsewhere; change the addresses to your own. */
export const socialLinks = [
  { name: "Facebook", href: "https://www.facebook.com/wayfare" },
  { name: "Instagram", href: "https://www.instagram.com/wayfare" },
  { name: "X", href: "https://x.com/wayfare" },
  { name: "LinkedIn", href: "https://www.linkedin.com/company/wayfare" },
] as const;
export type SocialNetwork = (typeof socialLinks)[number]["name"];

/** The footer's own links and its one line about the house. */
export const footerLinks = [
  { label: "About", to: "/about" },
  { label: "Contact", to: "/contact" },
  { label: "Privacy", to: "/privacy" },
  { label: "Terms", to: "/terms" },
] as const;
export const footerLine = "Guidance for studying abroad, from the first question to the first lecture.";
