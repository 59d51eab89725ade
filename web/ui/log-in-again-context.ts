import { createContext, type ReactNode } from "react";

/**
 * Draws the login for somebody whose session has ended. The root gives it, because it is made of forms itself, and a
 * file of its own keeps the error dialog out of every page's first load.
 */
export const LogInAgainContext = createContext<((onClose: () => void) => ReactNode) | null>(null);
