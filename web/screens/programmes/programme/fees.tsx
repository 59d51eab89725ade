import type { ProgrammePage } from "#contract/programmes.ts";
import { feeAudienceLabels, feeKindLabels } from "#domain/programme.ts";
import {
  aboutRandWords,
  academicYearWords,
  feePeriodWords,
  feeWords,
  inRand,
} from "#domain/programme-words.ts";
import { formatDay } from "../../../lib/format-date.ts";
import classes from "./fees.module.css";
import { Part } from "./part.tsx";

type Fee = ProgrammePage["fees"][number];
type Rates = ProgrammePage["rates"];

/** Returns a fee's approximate amount in rand; null for one in rand, or if no rate was entered. */
export function aboutWords({ amount, currency }: Fee, rates: Rates): string | null {
  const rate = rates.find((each) => each.currency === currency);
  return rate && currency !== "ZAR" ? aboutRandWords(inRand(amount, currency, rate.perRand)) : null;
}

/** The fees as they are published, with the academic year and the approximate amounts in rand. */
export function Fees({ programme: { fees, rates } }: { programme: ProgrammePage }) {
  if (fees.length === 0)
    return (
      <Part title="Fees">
        <p>Nobody has entered them yet.</p>
      </Part>
    );
  const foreignRates = rates.filter(({ currency }) => currency !== "ZAR");
  return (
    <Part title="Fees">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Fee</th>
            <th scope="col">For</th>
            <th scope="col">Year</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {fees.map((fee) => {
            const about = aboutWords(fee, rates);
            return (
              <tr key={`${fee.kind} ${fee.per} ${fee.academicYear} ${fee.audience}`}>
                <th scope="row">{feeKindLabels[fee.kind]}</th>
                <td>{feeAudienceLabels[fee.audience]}</td>
                <td>{academicYearWords(fee.academicYear)}</td>
                <td>
                  <strong>{feeWords(fee.amount, fee.currency)}</strong> {feePeriodWords(fee)}
                  {about && <span className={classes.about}>{about}</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className={classes.rates}>
        {foreignRates.length > 0
          ? `In rand by the rate of ${foreignRates.map(({ currency, day }) => `${currency} on ${formatDay(day)}`).join(", ")}.`
          : "Amounts are as the university publishes them."}
      </p>
    </Part>
  );
}
