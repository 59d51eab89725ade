import type { Location } from "react-router";

/** Holds the location of the screen that waits for the server. `useNavigation` doesn't report it until it loads. */
export const pendingScreen: { location: Location | null } = { location: null };
