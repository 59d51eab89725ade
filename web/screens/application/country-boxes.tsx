import { countryName } from "#domain/country.ts";
import { type CountryChoice, chooseCountry, countryChoices } from "#domain/country-choice.ts";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import classes from "./country-boxes.module.css";

type CountryBoxesProps = {
  chosen: readonly CountryChoice[];
  onChoose: (chosen: CountryChoice[]) => void;
};

/** The countries of the application form, with the rule for All. */
export function CountryBoxes({ chosen, onChoose }: CountryBoxesProps) {
  return (
    <ChoiceGroup legend="Countries" field="country">
      <div className={classes.choices}>
        {countryChoices.map((country) => (
          <label key={country} className={classes.choice}>
            <input
              type="checkbox"
              name="country"
              value={country}
              checked={chosen.includes(country)}
              onChange={() => onChoose(chooseCountry(chosen, country))}
            />
            {countryName(country)}
          </label>
        ))}
      </div>
    </ChoiceGroup>
  );
}
