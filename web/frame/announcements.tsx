import "@mantine/core/styles/CloseButton.css";
import "@mantine/core/styles/Paper.css";
import "@mantine/core/styles/Notification.css";
import "@mantine/notifications/styles.css";
import { Notifications } from "@mantine/notifications";

/** Where `notifications.show` of a screen appears: what was just done, for a few seconds. */
export default function Announcements() {
  return <Notifications position="bottom-right" autoClose={5_000} />;
}
