import { Guard } from "./guard.tsx";

export default function AdminGuard() {
  return <Guard area="admin" />;
}
