import { pageMeta } from "../../lib/page-meta.ts";
import { Page } from "../../ui/page.tsx";
import { PersonalDetails } from "../profile/personal-details.tsx";

const title = "Student profile";

export const meta = () => pageMeta(title);

export default function StudentProfile() {
  return (
    <Page
      narrow
      title={title}
      lead="Universities ask for these details. Your date of birth, address, ID and passport are seen only by you, your own agent and the administrators."
    >
      <PersonalDetails whose="student" />
    </Page>
  );
}
