import { privacy } from "../../content/privacy.ts";
import { publicMeta } from "../../lib/page-meta.ts";
import { LegalPage } from "./legal-page.tsx";

export const meta = () =>
  publicMeta(
    "/privacy",
    "Privacy",
    "What Wayfare stores about you, for how long, who sees it, and who to ask.",
  );

export default function Privacy() {
  return <LegalPage title="Privacy" text={privacy} />;
}
