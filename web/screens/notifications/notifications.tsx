import { pageMeta } from "../../lib/page-meta.ts";
import { Placeholder } from "../../ui/placeholder.tsx";

const title = "Notifications";
const sentence = "News about your applications, documents and bids will be listed here.";

export const meta = () => pageMeta(title);

export default function Notifications() {
  return <Placeholder title={title} sentence={sentence} />;
}
