import { argonPasswords } from "#server/features/account/passwords/passwords.ts";
import { quickPasswords } from "../quick-passwords.ts";

// Loaded into the server of the stories before its own code: in most of them somebody signs up.
Object.assign(argonPasswords, quickPasswords);
