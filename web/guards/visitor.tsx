import { Guard } from "./guard.tsx";

export default function VisitorGuard() {
  return <Guard area="visitor" />;
}
