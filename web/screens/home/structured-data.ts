import { faq } from "../../content/faq.ts";
import { socialLinks } from "../../content/footer.ts";
import { opening } from "../../content/home.ts";
import { configuration } from "../../lib/configuration.ts";

/** What search engines read of the home page: whose it is, and its questions (schema.org). */
export function structuredData() {
  const { baseUrl } = configuration();
  const organization = {
    "@type": "Organization",
    "@id": `${baseUrl}/#organization`,
    name: "Wayfare",
    description: opening,
    url: `${baseUrl}/`,
    logo: `${baseUrl}/icon-512.png`,
    sameAs: socialLinks.map(({ href }) => href),
  };
  const questions = {
    "@type": "FAQPage",
    mainEntity: faq.map(({ question, answer }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: answer },
    })),
  };
  return { "@context": "https://schema.org", "@graph": [organization, questions] };
}
