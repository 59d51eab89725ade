import { pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import type { ScreenHandle } from "../../lib/screen-handle.ts";
import { Page } from "../../ui/page.tsx";
import { MailSwitches, switchesQuery } from "./mail-switches.tsx";
import { NotificationPages, pagesQuery } from "./notification-pages.tsx";

const title = "Notifications";

export const meta = () => pageMeta(title);

export const handle: ScreenHandle = {
  ask: () =>
    Promise.all([queryClient.prefetchInfiniteQuery(pagesQuery), queryClient.prefetchQuery(switchesQuery)]),
};

/** Everything that the bell has told, and which of it is mailed too (product decisions, "Menus"). */
export default function Notifications() {
  return (
    <Page title={title} narrow>
      <NotificationPages />
      <MailSwitches />
    </Page>
  );
}
