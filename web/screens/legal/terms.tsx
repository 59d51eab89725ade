import { terms } from "../../content/terms.ts";
import { configuration } from "../../lib/configuration.ts";
import { publicMeta } from "../../lib/page-meta.ts";
import { LegalPage } from "./legal-page.tsx";

export const meta = () =>
  publicMeta("/terms", "Terms", "The rules for accounts, guidance, selling and bidding on Wayfare.");

export default function Terms() {
  return <LegalPage title="Terms" text={terms(configuration().unverifiedBidLimit)} />;
}
