import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Privacy";
const sentence = "What we store about you, and why, will stand here before Wayfare opens to the public.";

export const meta = () => pageMeta(title, sentence);

export default function Privacy() {
  return <Placeholder title={title} sentence={sentence} />;
}
