import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Manage Students";
const sentence = "Every student, with search, applications and assigned agents, will be listed here.";

export const meta = () => pageMeta(title);

export default function ManageStudents() {
  return <Placeholder title={title} sentence={sentence} />;
}
