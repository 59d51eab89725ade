import { pageMeta } from "../../lib/page-meta.ts";
import { Page } from "../../ui/page.tsx";
import { MailSwitches } from "./mail-switches.tsx";
import { NotificationPages } from "./notification-pages.tsx";

const title = "Notifications";

export const meta = () => pageMeta(title);

/** Everything that the bell has told, and which of it is mailed too (product decisions, "Menus"). */
export default function Notifications() {
  return (
    <Page title={title} narrow>
      <NotificationPages />
      <MailSwitches />
    </Page>
  );
}
