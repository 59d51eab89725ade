import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Contact";
const sentence = "A form to write to the consultancy opens here soon.";

export const meta = () => pageMeta(title, sentence);

export default function Contact() {
  return <Placeholder title={title} sentence={sentence} />;
}
