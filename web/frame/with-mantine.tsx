import { Outlet } from "react-router";
import { Mantine } from "../ui/mantine.tsx";

/** Around the screens that use Mantine's parts: the others are there without loading them. */
export default function WithMantine() {
  return (
    <Mantine>
      <Outlet />
    </Mantine>
  );
}
