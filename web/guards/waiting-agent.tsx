import { Guard } from "./guard.tsx";

export default function WaitingAgentGuard() {
  return <Guard area="waitingAgent" />;
}
