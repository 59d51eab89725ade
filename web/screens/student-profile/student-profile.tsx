import { pageMeta } from "../../lib/page-meta.ts";
import type { ScreenHandle } from "../../lib/screen-handle.ts";
import { Page } from "../../ui/page.tsx";
import { loadEditor, PersonalDetails } from "../profile/personal-details.tsx";

const title = "Student profile";

export const meta = () => pageMeta(title);

// The details themselves only when they are opened: each look at them is in the audit log.
export const handle: ScreenHandle = { ask: loadEditor };

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
