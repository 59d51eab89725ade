import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Application";
const sentence = "Applying to a programme opens here soon.";

export const meta = () => pageMeta(title);

export default function Application() {
  return <Placeholder title={title} sentence={sentence} />;
}
