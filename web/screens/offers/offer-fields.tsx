import { useId } from "react";
import type { Offer } from "#contract/offers.ts";
import { currencies, moneyInput, moneyText } from "#domain/currency.ts";
import { type Deadline, zonePlace } from "#domain/deadline.ts";
import { amountTextLimit } from "#domain/money.ts";
import { conditionKindLabels, conditionKinds, offerLimits } from "#domain/offer.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/form/fields.tsx";
import classes from "./offer-section.module.css";

/** Stands for the student's own clock among the zones. */
export const ownClock = "student";

/** The most common time zones of universities, which are listed before all others. */
const usualZones = [
  "Europe/London",
  "Europe/Dublin",
  "America/Toronto",
  "America/Vancouver",
  "America/New_York",
  "America/Chicago",
  "America/Los_Angeles",
  "Asia/Dubai",
];
const zones = [
  ...usualZones,
  ...Intl.supportedValuesOf("timeZone").filter((zone) => !usualZones.includes(zone)),
];

/** The clock of all of the offer's deadlines. */
export function ZoneField({ offer }: { offer: Offer | null }) {
  const due = offer?.replyBy ?? offer?.deposit?.due ?? offer?.conditions.find((each) => each.due)?.due;
  return (
    <SelectField
      name="zone"
      label="Dates and times are by the clock in"
      data={[
        ...zones.map((zone) => ({
          value: zone,
          label: usualZones.includes(zone) ? zonePlace(zone) : zone.replaceAll("_", " "),
        })),
        { value: ownClock, label: "The student's own place" },
      ]}
      defaultValue={(due?.whose === "applicant" ? ownClock : due?.zone) ?? "Europe/London"}
    />
  );
}

type ConditionFieldsProps = {
  place: number;
  condition: Offer["conditions"][number] | null;
  onRemove: () => void;
};

export function ConditionFields({ place, condition, onRemove }: ConditionFieldsProps) {
  const name = `conditions.${place}`;
  const title = `Condition ${place + 1}`;
  const id = useId();
  if (condition && condition.state !== "open")
    return (
      <section className={classes.group} aria-labelledby={id}>
        <span id={id} className={classes.legend}>
          {title}
        </span>
        <p className={classes.words}>{condition.text}</p>
        <p className={classes.aside}>
          {condition.state === "claimed"
            ? "The student says it is met, so it can't be changed."
            : "It is settled, so it can't be changed."}
        </p>
      </section>
    );
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{title}</legend>
      <TextField
        name={`${name}.text`}
        label="What is asked for"
        placeholder="For example IELTS 6.5 overall"
        maxLength={offerLimits.condition}
        defaultValue={condition?.text ?? ""}
      />
      <SelectField
        name={`${name}.kind`}
        label="Kind"
        data={conditionKinds.map((kind) => ({ value: kind, label: conditionKindLabels[kind] }))}
        defaultValue={condition?.kind ?? "document"}
      />
      <DeadlineFields name={`${name}.due`} due={condition?.due ?? null} />
      <div>
        <Button
          size="compact-md"
          variant="subtle"
          aria-label={`Remove condition ${place + 1}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      </div>
    </fieldset>
  );
}

/** The day and time of a deadline, both optional, and what happens after it. */
export const DeadlineFields = ({ name, due }: { name: string; due: Deadline | null }) => (
  <div className={classes.row}>
    <TextField
      name={`${name}.date`}
      label="Due (optional)"
      type="date"
      optional
      defaultValue={due?.date ?? ""}
    />
    <TextField
      name={`${name}.time`}
      label="Time (optional)"
      type="time"
      optional
      defaultValue={due?.time ?? ""}
    />
    <SelectField
      name={`${name}.hard`}
      label="After that"
      data={[
        { value: "hard", label: "Not taken" },
        { value: "soft", label: "Ask" },
      ]}
      defaultValue={due?.hard === false ? "soft" : "hard"}
    />
  </div>
);

export function DepositFields({ deposit }: { deposit: Offer["deposit"] }) {
  if (deposit?.paid)
    return (
      <fieldset className={classes.group}>
        <legend className={classes.legend}>Deposit</legend>
        <p className={classes.words}>{moneyText(deposit)}</p>
        <p className={classes.aside}>It is marked as paid, so it can't be changed.</p>
      </fieldset>
    );
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>Deposit</legend>
      <div className={classes.row}>
        <TextField
          name="deposit.amount"
          label="Amount"
          optional
          inputMode="decimal"
          autoComplete="off"
          maxLength={amountTextLimit}
          defaultValue={deposit ? moneyInput(deposit) : ""}
        />
        <SelectField
          name="deposit.currency"
          label="Currency"
          data={currencies}
          defaultValue={deposit?.currency ?? "GBP"}
        />
      </div>
      <DeadlineFields name="deposit.due" due={deposit?.due ?? null} />
    </fieldset>
  );
}
