import { pageMeta } from "../../lib/page-meta.ts";
import { Page } from "../../ui/page.tsx";
import { Applications } from "./applications.tsx";

export const meta = () => pageMeta("Your Applications");

/** A student applies, and follows what was submitted. */
export default function Application() {
  return (
    <Page narrow title="Your Applications">
      <Applications />
    </Page>
  );
}
