import { pageMeta } from "../../lib/page-meta.ts";
import { Page } from "../../ui/page.tsx";
import { PersonalDetails } from "../profile/personal-details.tsx";

const title = "Agent profile";

export const meta = () => pageMeta(title);

export default function AgentProfile() {
  return (
    <Page
      narrow
      title={title}
      lead="Your students see your name, agency, email and phone number; everything else only you and the administrators."
    >
      <PersonalDetails whose="agent" />
    </Page>
  );
}
