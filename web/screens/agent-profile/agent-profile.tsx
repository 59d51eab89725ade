import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Agent profile";
const sentence = "Your personal details can be edited here soon.";

export const meta = () => pageMeta(title);

export default function AgentProfile() {
  return <Placeholder title={title} sentence={sentence} />;
}
