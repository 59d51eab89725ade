import { createContext, type ReactNode } from "react";

/**
 * Renders the login for a person whose session has ended. The root provides it, because it consists of forms itself; a
 * separate file keeps the error dialog out of every page's first load.
 */
export const LogInAgainContext = createContext<((onClose: () => void) => ReactNode) | null>(null);
