import { Guard } from "./guard.tsx";

export default function ManageStudentsGuard() {
  return <Guard area="manageStudents" />;
}
