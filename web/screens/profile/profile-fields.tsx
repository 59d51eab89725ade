import { type ReactNode, useState } from "react";
import { yearsFrom } from "#domain/calendar-date.ts";
import { countries, countryName, isCountry } from "#domain/country.ts";
import { isAnotherEmail } from "#domain/email-change.ts";
import {
  genderLabel,
  genders,
  type Profile,
  type ProfileField,
  type ProfileRole,
  profileLabel,
  profileLimits,
  requiredFields,
} from "#domain/profile.ts";
import { earliestBirth, profileHint } from "#domain/profile-check.ts";
import { PasswordField, SelectField, TextField } from "../../ui/form/fields.tsx";
import classes from "./profile-fields.module.css";

type ProfileFieldsProps = {
  whose: ProfileRole;
  /** Whether the address can be changed, which is not possible on a student's behalf. */
  hasEmail: boolean;
  /** The initial values of the fields: the stored profile with the unsaved changes. */
  values: Profile;
  /** The address in use, which a new one only replaces once it is confirmed. */
  currentEmail: string;
  /** Today as YYYY-MM-DD. */
  today: string;
};

const nothingChosen = { value: "", label: "Choose one" };
const genderChoices = [nothingChosen, ...genders.map((value) => ({ value, label: genderLabel[value] }))];

const choices = countries
  .map((value) => ({ value, label: countryName(value) }))
  .toSorted((a, b) => a.label.localeCompare(b.label, "en"));

/** Also offers the country that an agent typed at sign-up, if it is not in the list. */
const countryChoices = (current: string) => [
  nothingChosen,
  ...(current === "" || isCountry(current) ? [] : [current]),
  ...choices,
];

/** The seventeen fields, the required ones marked. */
export function ProfileFields({ whose, hasEmail, values, currentEmail, today }: ProfileFieldsProps) {
  const mark = (field: ProfileField): ProfileFieldProps => {
    const required = requiredFields[whose].includes(field);
    return {
      name: field,
      label: profileLabel[field],
      defaultValue: values[field],
      required,
      withAsterisk: required,
    };
  };
  const text = (field: ProfileField, autoComplete: string) => (
    <TextField {...mark(field)} autoComplete={autoComplete} maxLength={profileLimits[field]} />
  );
  return (
    <>
      <p className={classes.note}>Fields marked * are required.</p>
      <Section title="Personal details">
        {text("firstName", "given-name")}
        {text("lastName", "family-name")}
        {text("middleName", "additional-name")}
        <SelectField {...mark("gender")} data={genderChoices} autoComplete="sex" />
        <DateField
          {...mark("dateOfBirth")}
          today={today}
          autoComplete="bday"
          min={earliestBirth}
          max={today}
        />
        <SelectField {...mark("citizenship")} data={countryChoices(values.citizenship)} />
      </Section>
      <Section title="Contact">
        {hasEmail && <EmailFields field={mark("email")} currentEmail={currentEmail} />}
        <TextField
          {...mark("phoneNumber")}
          type="tel"
          autoComplete="tel"
          maxLength={profileLimits.phoneNumber}
        />
      </Section>
      <Section title="Address">
        {text("addressLine1", "address-line1")}
        {text("addressLine2", "address-line2")}
        {text("city", "address-level2")}
        {text("state", "address-level1")}
        {text("postalCode", "postal-code")}
        <SelectField {...mark("country")} data={countryChoices(values.country)} autoComplete="country-name" />
      </Section>
      <Section title="Identity">
        {text("idNumber", "off")}
        {text("passportNumber", "off")}
        <DateField
          {...mark("passportExpiry")}
          today={today}
          autoComplete="off"
          min={yearsFrom(today, -20)}
          max={yearsFrom(today, 20)}
        />
      </Section>
    </>
  );
}

type ProfileFieldProps = {
  name: ProfileField;
  label: string;
  defaultValue: string;
  required: boolean;
  withAsterisk: boolean;
};

/** The email field. A new address needs the password and is confirmed by email. */
function EmailFields({ field, currentEmail }: { field: ProfileFieldProps; currentEmail: string }) {
  const [email, setEmail] = useState(field.defaultValue);
  const isAnother = isAnotherEmail(email, currentEmail);
  return (
    <>
      <TextField
        {...field}
        type="email"
        autoComplete="email"
        maxLength={profileLimits.email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      {isAnother && (
        <PasswordField
          name="password"
          label="Your password"
          description={`We'll email a confirmation link to the new address. Until you confirm, you keep using ${currentEmail}.`}
          autoComplete="current-password"
        />
      )}
    </>
  );
}

type DateFieldProps = ProfileFieldProps & { autoComplete: string; min: string; max: string; today: string };

/** A date, with a hint if it is probably a mistake. */
function DateField({ today, ...field }: DateFieldProps) {
  const [day, setDay] = useState(field.defaultValue);
  return (
    <TextField
      {...field}
      type="date"
      description={profileHint(field.name, day, today)}
      descriptionBelow
      onChange={(event) => setDay(event.currentTarget.value)}
    />
  );
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={classes.section}>
    <legend className={classes.title}>{title}</legend>
    <div className={classes.fields}>{children}</div>
  </fieldset>
);
