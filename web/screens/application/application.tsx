import { pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import type { ScreenHandle } from "../../lib/screen-handle.ts";
import { Page } from "../../ui/page.tsx";
import { Applications, applicationsQuery } from "./applications.tsx";
import { missingQuery } from "./still-missing.tsx";

export const meta = () => pageMeta("Your Applications");

export const handle: ScreenHandle = {
  ask: () =>
    Promise.all([queryClient.prefetchQuery(applicationsQuery), queryClient.prefetchQuery(missingQuery)]),
};

/** A student applies, and follows what was submitted (spec 2, 5). */
export default function Application() {
  return (
    <Page narrow title="Your Applications">
      <Applications />
    </Page>
  );
}
