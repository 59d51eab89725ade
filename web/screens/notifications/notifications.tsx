import { pageMeta } from "../../lib/page-meta.ts";
import { Page } from "../../ui/page.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { MailSwitches } from "./mail-switches.tsx";
import { NotificationPages } from "./notification-pages.tsx";

const title = "Notifications";

export const meta = () => pageMeta(title);

/** Every notification, and which of it is mailed too. */
export default function Notifications() {
  return (
    <Page title={title} lead={<TextLink to="#mails">Choose which emails you get</TextLink>} narrow>
      <NotificationPages />
      <MailSwitches />
    </Page>
  );
}
