import { pageMeta } from "../../lib/page-meta.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Page } from "../../ui/page.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { Documents } from "./documents.tsx";

export const meta = () => pageMeta("Your documents");

/** The student's six documents on a screen of their own. */
export default function StudentDocuments() {
  const viewer = useViewer();
  return (
    <Page
      narrow
      title="Your documents"
      lead="Universities ask for these six documents. Your agent reviews each one and tells you if anything needs to be redone."
    >
      {viewer && <Documents studentId={viewer.id} />}
      <p>
        <TextLink to="/who-looked">Who looked at your papers</TextLink>
      </p>
    </Page>
  );
}
