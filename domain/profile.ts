import { limits } from "#domain/account.ts";
import { keysOf } from "#domain/keys-of.ts";

export const genders = ["male", "female", "other"] as const;
export type Gender = (typeof genders)[number];
export const isGender = (text: string): text is Gender => genders.some((gender) => gender === text);
export const genderLabel: Record<Gender, string> = { male: "Male", female: "Female", other: "Other" };

/** Labels of the seventeen fields of a student's or an agent's profile. */
export const profileLabel = {
  firstName: "First name",
  lastName: "Last name",
  middleName: "Middle name",
  dateOfBirth: "Date of birth",
  idNumber: "ID number",
  citizenship: "Citizenship",
  passportNumber: "Passport number",
  passportExpiry: "Passport expiry",
  gender: "Gender",
  email: "Email",
  phoneNumber: "Phone number",
  addressLine1: "Address line 1",
  addressLine2: "Address line 2",
  city: "City",
  state: "State",
  postalCode: "Postal code",
  country: "Country",
};
export type ProfileField = keyof typeof profileLabel;
export const profileFields = keysOf(profileLabel);
/** A profile as texts; dates as YYYY-MM-DD, empty when not given. */
export type Profile = Record<ProfileField, string>;

/** Longest texts in characters; the forms show them and the server enforces them. */
export const profileLimits: Record<ProfileField, number> = {
  firstName: limits.name,
  lastName: limits.name,
  middleName: limits.name,
  dateOfBirth: 10,
  idNumber: 40,
  citizenship: limits.country,
  passportNumber: 40,
  passportExpiry: 10,
  gender: 10,
  email: limits.email,
  phoneNumber: limits.phone,
  addressLine1: 120,
  addressLine2: 120,
  city: 80,
  state: 80,
  postalCode: 20,
  country: limits.country,
};

/** Roles that have a profile. */
export type ProfileRole = "student" | "agent";

/** The fields marked '*'. */
export const requiredFields: Record<ProfileRole, readonly ProfileField[]> = {
  student: ["firstName", "lastName", "email"],
  agent: ["firstName", "lastName"],
};

/** Identity fields: only the person, the assigned agent and admins see them, and each look is audited. */
export const identityFields = [
  "middleName",
  "dateOfBirth",
  "gender",
  "citizenship",
  "idNumber",
  "passportNumber",
  "passportExpiry",
  "addressLine1",
  "addressLine2",
  "city",
  "state",
  "postalCode",
] as const satisfies readonly ProfileField[];

export type Identity = Pick<Profile, (typeof identityFields)[number]>;
