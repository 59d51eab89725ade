import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Explore programmes";
const sentence = "Course search opens here soon.";

export const meta = () => pageMeta(title, sentence);

export default function Explore() {
  return <Placeholder title={title} sentence={sentence} />;
}
