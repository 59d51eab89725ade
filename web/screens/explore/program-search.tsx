import { IconExternalLink } from "@tabler/icons-react";
import { useRef } from "react";
import {
  courseTitleLimit,
  programSearchUrl,
  type SearchLocation,
  searchLocations,
} from "#domain/program-search.ts";
import type { CountryCode } from "../../content/countries.ts";
import { configuration } from "../../lib/configuration.ts";
import { Flag } from "../../ui/flag.tsx";
import { SelectField, TextField } from "../../ui/form/fields.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import classes from "./program-search.module.css";

const codes: Record<SearchLocation, CountryCode> = {
  Canada: "ca",
  "United States": "us",
  "United Kingdom": "gb",
  Germany: "de",
  Ireland: "ie",
  Australia: "au",
};

type Search = { title: string; location: string };

const problem = ({ title }: Search) =>
  title.trim() === ""
    ? ({ code: "form/incomplete", message: "Please enter a course title.", field: "title" } as const)
    : null;

/** Opens the search in a new tab, which learns nothing about this page. */
async function openSearch({ title, location }: Search) {
  const address = programSearchUrl(configuration().programSearchUrl, title, location);
  window.open(address, "_blank", "noopener,noreferrer");
}

/** Sets the select directly: it is uncontrolled, because a choice may have been made before hydration. */
function choose(select: HTMLSelectElement | null, location: SearchLocation) {
  if (select) select.value = location;
}

/** The external program search, by course title and optionally by location; a flag chooses a location too. */
export function ProgramSearch() {
  const location = useRef<HTMLSelectElement>(null);
  return (
    <div className={classes.card}>
      <Form errorTitle="Search Error" fields={["title", "location"]} check={problem} send={openSearch}>
        <div className={classes.row}>
          <TextField
            name="title"
            label="Course title"
            placeholder="Data science, nursing, architecture …"
            maxLength={courseTitleLimit}
            enterKeyHint="search"
          />
          <SelectField
            name="location"
            label="Location (optional)"
            required={false}
            data={[{ value: "", label: "Any location" }, ...searchLocations]}
            ref={location}
          />
          <SubmitButton busyText="Search">
            Search <IconExternalLink size={18} aria-hidden className={classes.icon} />
          </SubmitButton>
        </div>
      </Form>
      <ul aria-label="Locations" className={classes.locations}>
        {searchLocations.map((name) => (
          <li key={name}>
            <button type="button" className={classes.location} onClick={() => choose(location.current, name)}>
              <Flag code={codes[name]} /> {name}
            </button>
          </li>
        ))}
      </ul>
      <p className={classes.note}>Results open in a new tab, on an external search site.</p>
    </div>
  );
}
