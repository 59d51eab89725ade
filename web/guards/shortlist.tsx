import { Guard } from "./guard.tsx";

export default function ShortlistGuard() {
  return <Guard area="shortlist" />;
}
