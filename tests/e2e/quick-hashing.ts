import { argonPasswords } from "#server/features/sign-in/passwords/passwords.ts";
import { quickPasswords } from "#tests/support/quick-passwords.ts";

// This is loaded into the stories' server before its own code, because people sign up in most of them.
Object.assign(argonPasswords, quickPasswords);
