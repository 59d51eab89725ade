import { pageMeta } from "../../lib/page-meta.ts";
import { Page } from "../../ui/page.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { PersonalDetails } from "../profile/personal-details.tsx";
import { OwnRecord } from "../study-record/record-section.tsx";

const title = "Student profile";

export const meta = () => pageMeta(title);

// The details load only when the screen is opened, because each access is recorded in the audit log.
export default function StudentProfile() {
  return (
    <Page
      narrow
      title={title}
      lead={
        <>
          Universities ask for these details. Only you, your own agent and administrators can see your date of
          birth, address, ID and passport. <TextLink to="/who-looked">Who looked at them</TextLink>
        </>
      }
    >
      <PersonalDetails whose="student" />
      <OwnRecord />
    </Page>
  );
}
