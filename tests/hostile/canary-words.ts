import { profileFields } from "#domain/profile.ts";

/** A word that is part of every planted text, and of nothing else. Numbers and dates can't contain it. */
export const word = "kanarie";
export const planted = {
  email: `${word}.mensah@example.org`,
  agentEmail: `${word}.agent@example.org`,
  refusedEmail: `${word}.refused@example.org`,
  password: `${word} horse battery staple`,
  phone: "+27 83 777 3141",
  dateOfBirth: "1987-06-05",
  passportExpiry: "2039-11-28",
  address: "203.0.113.77",
};
/**
 * A word that only the identity details contain. These are kept more strictly: not even a mail to their owner may
 * contain them.
 */
const identityWord = "zeisig";
/** The words that may only leave the server in an answer to a caller who may see them. */
export const identity = [
  identityWord,
  planted.dateOfBirth,
  "5 Jun 1987",
  "5 June 1987",
  planted.passportExpiry,
  // With its year: on a 28 November, every mail carries that day.
  "28 Nov 2039",
  "28 November 2039",
];
/** A word that only the notes of staff contain, which leave the server in answers about notes alone. */
export const noteWord = "stieglitz";
/** The words that must not appear in any output, in any spelling. */
export const canaries = [word, noteWord, ...identity, "777 3141", "7773141", "777%203141", planted.address];
export const profileOf = (email: string) =>
  Object.fromEntries(
    profileFields.flatMap((field) => {
      const fixed: Record<string, string> = {
        email,
        gender: "female",
        citizenship: "NG",
        country: "NG",
        phoneNumber: planted.phone,
        dateOfBirth: planted.dateOfBirth,
        passportExpiry: planted.passportExpiry,
      };
      const name = field === "firstName" || field === "lastName" ? "Kanarie" : "Zeisig";
      return field === "email" ? [] : [[field, fixed[field] ?? `${name} ${field}`.slice(0, 20)]];
    }),
  );
