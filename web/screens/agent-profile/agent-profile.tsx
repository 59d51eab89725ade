import { pageMeta } from "../../lib/page-meta.ts";
import { Page } from "../../ui/page.tsx";
import { PersonalDetails } from "../profile/personal-details.tsx";

const title = "Agent profile";

export const meta = () => pageMeta(title);

// The details load only when the screen is opened, because each access is recorded in the audit log.
export default function AgentProfile() {
  return (
    <Page
      narrow
      title={title}
      lead="Your students see your name, agency, email and phone number. Only you and administrators see the rest."
    >
      <PersonalDetails whose="agent" />
    </Page>
  );
}
