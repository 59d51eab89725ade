import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "About Us";
const sentence = "Whom we serve, where, and why we do this will be told here soon.";

export const meta = () => pageMeta(title, sentence);

export default function AboutUs() {
  return <Placeholder title={title} sentence={sentence} />;
}
