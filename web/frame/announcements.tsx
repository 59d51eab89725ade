import "@mantine/core/styles/CloseButton.css";
import "@mantine/core/styles/Paper.css";
import "@mantine/core/styles/Notification.css";
import "@mantine/notifications/styles.css";
import { MantineThemeProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { Mantine } from "../ui/mantine.tsx";
import "./announcements.css";

/** Told politely; the button that closes one has a name for screen readers. */
const theme = {
  components: {
    Notification: { defaultProps: { role: "status", closeButtonProps: { "aria-label": "Close" } } },
  },
};

/** Where `notifications.show` of a screen appears: what was just done, for a few seconds. */
export default function Announcements() {
  return (
    <Mantine>
      <MantineThemeProvider inherit theme={theme}>
        <Notifications position="bottom-right" autoClose={5_000} />
      </MantineThemeProvider>
    </Mantine>
  );
}
