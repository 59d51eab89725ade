import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Grading guide";
const sentence = "What each of the five grades promises will stand here soon.";

export const meta = () => pageMeta(title, sentence);

export default function GradingGuide() {
  return <Placeholder title={title} sentence={sentence} />;
}
