import { createContext } from "react";

/** Of the page's inline scripts; browsers hide it from scripts, so in one it is not known. */
export const Nonce = createContext<string | undefined>(undefined);
