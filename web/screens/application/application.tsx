import { useSearchParams } from "react-router";
import { pageMeta } from "../../lib/page-meta.ts";
import { Page } from "../../ui/page.tsx";
import { Applications } from "./applications.tsx";

export const meta = () => pageMeta("Your Applications");

/** Lets a student apply, and follow submitted applications. */
export default function Application() {
  const [search] = useSearchParams();
  return (
    <Page narrow title="Your Applications">
      <Applications at={search.has("new") ? "form" : "list"} />
    </Page>
  );
}
