import { useId } from "react";
import { countryName } from "#domain/country.ts";
import { type CountryChoice, chooseCountry, countryChoices } from "#domain/country-choice.ts";
import { useForm } from "../../ui/form/form.tsx";
import classes from "./country-boxes.module.css";

type CountryBoxesProps = {
  chosen: readonly CountryChoice[];
  onChoose: (chosen: CountryChoice[]) => void;
};

/** The countries of the application form, with the rule for All. */
export function CountryBoxes({ chosen, onChoose }: CountryBoxesProps) {
  const { failure } = useForm();
  const errorId = useId();
  const error = failure?.field === "country" ? failure.message : null;
  return (
    <fieldset className={classes.group} aria-describedby={error ? errorId : undefined}>
      <legend className={classes.legend}>Countries</legend>
      <div className={classes.choices}>
        {countryChoices.map((country) => (
          <label key={country} className={classes.choice}>
            <input
              type="checkbox"
              name="country"
              value={country}
              className={classes.box}
              checked={chosen.includes(country)}
              onChange={() => onChoose(chooseCountry(chosen, country))}
            />
            {countryName(country)}
          </label>
        ))}
      </div>
      {error && (
        <p id={errorId} className={classes.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
