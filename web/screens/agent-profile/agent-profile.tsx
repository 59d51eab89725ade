import { pageMeta } from "../../lib/page-meta.ts";
import type { ScreenHandle } from "../../lib/screen-handle.ts";
import { Page } from "../../ui/page.tsx";
import { loadEditor, PersonalDetails } from "../profile/personal-details.tsx";

const title = "Agent profile";

export const meta = () => pageMeta(title);

// The details themselves only when they are opened: each look at them is in the audit log.
export const handle: ScreenHandle = { ask: loadEditor };

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
