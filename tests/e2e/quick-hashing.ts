import { argonPasswords } from "#server/features/sign-in/passwords/passwords.ts";
import { quickPasswords } from "#tests/support/quick-passwords.ts";

// This is loaded into the stories' server before its own code, because in most of them somebody signs up.
Object.assign(argonPasswords, quickPasswords);
