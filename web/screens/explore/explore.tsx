import {
  IconCreditCard,
  IconListSearch,
  IconPigMoney,
  IconPlaneTilt,
  IconSend,
  IconUserPlus,
  type TablerIcon,
} from "@tabler/icons-react";
import { type Step, steps } from "../../content/steps.ts";
import { publicMeta } from "../../lib/page-meta.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import classes from "./explore.module.css";
import { ProgramSearch } from "./program-search.tsx";

const title = "Explore programmes";
const lead =
  "Enter what you'd like to study, choose a country if you have one in mind, and see what's out there.";

export const meta = () =>
  publicMeta(
    "/explore",
    title,
    "Search degree programmes in six countries, and see the six steps from registering to your visa.",
  );

export default function Explore() {
  return (
    <>
      <Page title={title} lead={lead}>
        <Catalogue />
        <ProgramSearch />
      </Page>
      <Section title="How it works" lead="Six steps, with your agent beside you.">
        <Steps />
      </Section>
    </>
  );
}

/** The link to our own catalogue, above the external search. */
const Catalogue = () => (
  <section className={classes.catalogue} aria-label="Our programmes">
    <div>
      <h2 className={classes.title}>Programmes that we have checked</h2>
      <p className={classes.text}>
        What each course requires and costs, and when it starts, beside your own record. Looking for something
        else? Search further below.
      </p>
    </div>
    <LinkButton primary to="/programmes">
      See our programmes
    </LinkButton>
  </section>
);

const icons: Record<Step, TablerIcon> = {
  Register: IconUserPlus,
  Search: IconListSearch,
  Apply: IconSend,
  Funding: IconPigMoney,
  Payments: IconCreditCard,
  Visa: IconPlaneTilt,
};

/** The steps from registration to the visa, as stops on one line. */
function Steps() {
  return (
    <ol className={classes.steps}>
      {steps.map(({ title, text }, at) => {
        const Icon = icons[title];
        return (
          <li key={title} className={classes.step} data-last={at === steps.length - 1 || undefined}>
            <span className={classes.stop}>
              <Icon size={24} stroke={1.6} aria-hidden />
            </span>
            <div>
              <h3 className={classes.title}>
                {at + 1}. {title}
              </h3>
              <p className={classes.text}>{text}</p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
