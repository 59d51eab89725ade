import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Student documents";
const sentence = "Uploading your six documents opens here soon.";

export const meta = () => pageMeta(title);

export default function StudentDocuments() {
  return <Placeholder title={title} sentence={sentence} />;
}
