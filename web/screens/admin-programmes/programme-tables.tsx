import { pageMeta } from "../../lib/page-meta.ts";
import { Page } from "../../ui/page.tsx";
import { AdminNav } from "../admin/admin-nav.tsx";
import { Agreements } from "./agreements.tsx";
import { Equivalences } from "./equivalences.tsx";
import { Groups } from "./groups.tsx";
import { Rates } from "./rates.tsx";

export const meta = () => pageMeta("Groups and rates");

/** The tables behind the programmes: groups of nationalities, grades, rates and agreements. */
export default function ProgrammeTables() {
  return (
    <Page title="Groups and rates">
      <AdminNav />
      <Groups />
      <Equivalences />
      <Rates />
      <Agreements />
    </Page>
  );
}
