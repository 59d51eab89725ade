import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Terms";
const sentence = "The terms of use will stand here before Wayfare opens to the public.";

export const meta = () => pageMeta(title, sentence);

export default function Terms() {
  return <Placeholder title={title} sentence={sentence} />;
}
