import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Student profile";
const sentence = "Your personal details can be edited here soon.";

export const meta = () => pageMeta(title);

export default function StudentProfile() {
  return <Placeholder title={title} sentence={sentence} />;
}
