import { pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import type { ScreenHandle } from "../../lib/screen-handle.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Page } from "../../ui/page.tsx";
import { Documents, documentsQuery } from "./documents.tsx";

export const meta = () => pageMeta("Your documents");

export const handle: ScreenHandle = {
  ask: async ({ viewer }) => viewer && (await queryClient.prefetchQuery(documentsQuery(viewer.id))),
};

/** The student's six documents on a screen of their own (spec 2). */
export default function StudentDocuments() {
  const viewer = useViewer();
  return (
    <Page
      narrow
      title="Your documents"
      lead="Universities ask for these six. Your agent looks at each of them and tells you when something is to be done again."
    >
      {viewer && <Documents studentId={viewer.id} />}
    </Page>
  );
}
