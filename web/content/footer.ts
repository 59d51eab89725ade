/** The consultancy's social media: samples until it has its own. */
export const socialLinks = [
  { name: "Facebook", href: "https://www.facebook.com/wayfare", sample: true },
  { name: "Instagram", href: "https://www.instagram.com/wayfare", sample: true },
  { name: "X", href: "https://x.com/wayfare", sample: true },
  { name: "LinkedIn", href: "https://www.linkedin.com/company/wayfare", sample: true },
] as const;
export type SocialNetwork = (typeof socialLinks)[number]["name"];

export const footerLinks = [
  { label: "Explore", to: "/explore" },
  { label: "About", to: "/about" },
  { label: "Contact", to: "/contact" },
  { label: "Privacy", to: "/privacy" },
  { label: "Terms", to: "/terms" },
] as const;
export const footerLine = "Guidance for studying abroad, from the first question to the first lecture.";
