import { publicMeta } from "../../lib/page-meta.ts";
import { Page } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { ProgramSearch } from "./program-search.tsx";
import { Steps } from "./steps.tsx";

const title = "Explore programmes";
const lead =
  "Enter what you’d like to study, choose a country if you have one in mind, and see what’s out there.";

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
        <ProgramSearch />
      </Page>
      <Section title="How it works" lead="Six steps, with your agent beside you.">
        <Steps />
      </Section>
    </>
  );
}
