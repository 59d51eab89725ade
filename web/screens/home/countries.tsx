import { useState } from "react";
import { countries } from "../../content/countries.ts";
import { useHydrated } from "../../lib/hydration.ts";
import { Flag } from "../../ui/flag.tsx";
import { Section } from "../../ui/section.tsx";
import classes from "./countries.module.css";

/** A button for each country, with the facts of the chosen one below. */
export function Countries() {
  const [choice, setChoice] = useState(countries[0].code);
  const isHydrated = useHydrated();
  return (
    <Section title="Where would you like to go?" lead="Five countries we know inside out.">
      <ul aria-label="Countries" className={classes.buttons}>
        {countries.map(({ name, code }) => (
          <li key={code}>
            <button
              type="button"
              aria-pressed={code === choice}
              disabled={!isHydrated}
              className={classes.button}
              onClick={() => setChoice(code)}
            >
              <Flag code={code} />
              {name}
            </button>
          </li>
        ))}
      </ul>
      {/* The sheets are stacked and as high as the highest, so that another choice moves nothing. */}
      <div className={classes.sheets}>
        {countries.map((country) => (
          <div
            key={country.code}
            className={classes.sheet}
            data-chosen={country.code === choice || undefined}
          >
            <h3 className={classes.name}>{country.name}</h3>
            <p className={classes.line}>{country.line}</p>
            <dl className={classes.facts}>
              {country.facts.map(({ label, value }) => (
                <div key={label} className={classes.fact}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
      </div>
    </Section>
  );
}
