import { Guard } from "./guard.tsx";

export default function StudentGuard() {
  return <Guard area="student" />;
}
