import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Shortlist";
const sentence = "Universities and courses worth a closer look will be collected here.";

export const meta = () => pageMeta(title);

export default function Shortlist() {
  return <Placeholder title={title} sentence={sentence} />;
}
