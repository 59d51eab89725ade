import { Guard } from "./guard.tsx";

export default function ApprovedAgentGuard() {
  return <Guard area="approvedAgent" />;
}
