import { faq } from "../../content/faq.ts";
import { socialLinks } from "../../content/footer.ts";
import { auctions, headline, opening } from "../../content/home.ts";
import { configuration } from "../../lib/configuration.ts";
import { publicMeta } from "../../lib/page-meta.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Section } from "../../ui/section.tsx";
import { Countries } from "./countries.tsx";
import { FeatureCarousel } from "./feature-carousel.tsx";
import classes from "./home.module.css";
import { Picture } from "./picture.tsx";
import { Questions } from "./questions.tsx";
import { StatsBand } from "./stats-band.tsx";
import { Testimonials } from "./testimonials.tsx";

export const meta = () => [
  ...publicMeta("/", "Study abroad, well guided", opening),
  { "script:ld+json": structuredData() },
];

export default function Home() {
  return (
    <>
      <section className={classes.hero}>
        <div>
          <h1 className={classes.headline}>{headline}</h1>
          <p className={classes.opening}>{opening}</p>
          <div className={classes.actions}>
            <LinkButton primary to="/signup" size="lg">
              Get started
            </LinkButton>
            <LinkButton to="/explore" size="lg">
              Explore programmes
            </LinkButton>
          </div>
        </div>
        <Picture name="journey" />
      </section>
      <FeatureCarousel />
      <StatsBand />
      <Countries />
      <Section
        title={auctions.title}
        lead={auctions.lead}
        aside={<LinkButton to="/auctions">See open auctions</LinkButton>}
      />
      <Testimonials />
      <Questions />
    </>
  );
}

/** Returns the home page's data for search engines (schema.org): the organization and its questions. */
function structuredData() {
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
