import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Meet the Team";
const sentence = "The six people behind Wayfare introduce themselves here soon.";

export const meta = () => pageMeta(title, sentence);

export default function MeetTheTeam() {
  return <Placeholder title={title} sentence={sentence} />;
}
